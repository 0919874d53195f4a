/** /readyz tells the truth about a machine that can store nothing, and is ready again by itself. */
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { PATIENCE } from '../../support/patience.js';
import { ready } from '../../support/readiness.js';
import { deliver } from '../../support/webhooks.js';

const probes = ({ ctx }: TestApp) => ctx.db.raw.prepare('SELECT total_changes()').pluck().get() as number;

describe('a database that may grow no further', () => {
  const stopGrowth = ({ ctx }: TestApp) =>
    ctx.db.raw.pragma(`max_page_count = ${ctx.db.raw.pragma('page_count', { simple: true }) as number}`);

  test('is not ready, and ready again when it may grow', async () => {
    const app = await startApp();
    // The space of the first trial is taken by something else.
    const { later } = await ready(app);
    app.ctx.db.raw.exec('CREATE TABLE ballast (filler); INSERT INTO ballast VALUES (zeroblob(80000))');
    stopGrowth(app);
    expect(await later()).toEqual({ status: 503, notReady: ['database'] });
    app.ctx.db.raw.pragma('max_page_count = 1000000');
    expect(await later()).toEqual({ status: 200 });
  });

  test('a write that failed counts at once, before the next trial', async () => {
    const app = await startApp();
    const { signId } = await app.waitingRequest();
    const { ask, later } = await ready(app);
    stopGrowth(app);
    const large = { signature: { note: 'x'.repeat(400_000) } };
    expect(await rejection(deliver(app, signId, large))).toMatchObject({ code: 'SQLITE_FULL' });
    expect(await ask()).toEqual({ status: 503, notReady: ['database'] });
    app.ctx.db.raw.pragma('max_page_count = 1000000');
    expect(await later()).toEqual({ status: 200 });
  });
});

test('a damaged database is not ready although a small write still succeeds; whole again, it is', async () => {
  const app = await startApp();
  await app.waitingRequest();
  const { later } = await ready(app);
  const file = join(app.dataDir, 'esign.db');
  app.ctx.db.raw.pragma('wal_checkpoint(TRUNCATE)');
  const whole = readFileSync(file);
  const root = app.ctx.db.raw
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'contracts'")
    .pluck()
    .get();
  const at = ((root as number) - 1) * 4096;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(4096, 0xaa), 0, 4096, at);

  // Reading the file through takes a hundredth of the time at most.
  await expect.poll(later, PATIENCE).toEqual({ status: 503, notReady: ['database'] });

  writeSync(descriptor, whole, at, 4096, at);
  closeSync(descriptor);
  await expect.poll(later, PATIENCE).toEqual({ status: 200 });
});

test('a large database is read through beside everything else, and its damage counts when it is found', async () => {
  const app = await startApp();
  app.ctx.db.raw.exec('CREATE TABLE ballast (filler); INSERT INTO ballast VALUES (zeroblob(17000000))');
  app.ctx.db.raw.pragma('wal_checkpoint(TRUNCATE)');
  const { ask } = await ready(app);
  const file = join(app.dataDir, 'esign.db');
  const descriptor = openSync(file, 'r+');
  const root = app.ctx.db.raw
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'contracts'")
    .pluck()
    .get();
  writeSync(descriptor, Buffer.alloc(4096, 0xaa), 0, 4096, ((root as number) - 1) * 4096);
  closeSync(descriptor);
  expect(await ask()).toEqual({ status: 200 });

  app.ctx.readiness.examine();

  await expect.poll(ask, PATIENCE).toEqual({ status: 503, notReady: ['database'] });
  const refused = await rejection(app.addRequest());
  expect(refused).toMatchObject({ code: 'database_damaged', kind: 'unavailable' });
});

test('a page that a request finds damaged counts at once', async () => {
  const app = await startApp();
  const { ask } = await ready(app);
  app.ctx.readiness.saw(
    Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' }),
  );
  expect(await ask()).toEqual({ status: 503, notReady: ['database'] });
});

test('asking a hundred times costs one trial, and leaves nothing behind', async () => {
  const app = await startApp();
  const { ask, later } = await ready(app);
  await later();
  const before = probes(app);
  const bytes = statSync(join(app.dataDir, 'esign.db')).size;
  await Promise.all(Array.from({ length: 100 }, ask));
  expect(probes(app)).toBe(before);
  await later();
  expect(probes(app)).toBe(before + 2);
  for (let n = 0; n < 5; n += 1) await later();
  expect(statSync(join(app.dataDir, 'esign.db')).size).toBe(bytes);
});
