/** What tests copy (tests/support/prepared.ts, kept.ts) is what they would have made. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInstallation } from '../src/db/installation/installation.js';
import { startApp, type TestApp, type Waiting } from './support/app.js';
import { HOUR } from './support/clock.js';
import { story } from './support/story.js';
import { deliver } from './support/webhooks.js';

/** Everything that is stored here and at the providers, without what is random. */
function everything(app: TestApp, { owner, contract, signId }: Waiting): unknown {
  const { raw } = app.ctx.db;
  const { id, createdAt } = findInstallation(app.ctx.db);
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  // The search keeps the same words in its own way besides.
  const rows = tables
    .filter((table) => !/Words_/.test(table))
    .map((table) => [table, raw.prepare(`SELECT * FROM ${table}`).all()]);
  const folder = join(app.dataDir, 'contracts');
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  const words = [id, createdAt, app.sandbox.url, contract.key, owner.username, signId];
  const text = JSON.stringify([rows, files, app.sandbox.state()]);
  const named = words.reduce((all, word, n) => all.replaceAll(word, `WORD ${n}`), text);
  return JSON.parse(
    named
      .replaceAll(/SN-\d+/g, 'SN')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
      .replaceAll(/(token=|cs_test_)\w+/g, '$1')
      .replaceAll(/\b[0-9a-f]{16,64}\b/g, 'HEX')
      .replaceAll(/"data":\[[\d,]+\]/g, '"data":[]'),
  );
}

async function history(make: (app: TestApp) => Promise<Waiting>) {
  const app = await startApp();
  // Not the first one, and not at the first moment.
  await app.addUser({ username: 'before@example.org' });
  app.clock.advance(HOUR);
  const waiting = await make(app);
  const sent = everything(app, waiting);
  app.sandbox.sign(waiting.signId);
  expect(await deliver(app, waiting.signId)).toBe(200);
  await app.drain();
  return { sent, linked: everything(app, waiting) };
}

test('a copied request is the one that would have been sent, and goes the same way', async () => {
  const first = await startApp();
  for (let n = 0; n < 2; n += 1) await first.waitingRequest();

  const real = await history((app) => app.waitingRequest({}));
  const copied = await history((app) => app.waitingRequest());

  expect(copied.sent).toEqual(real.sent);
  expect(copied.linked).toEqual(real.linked);
});

test('copies differ from each other in all that must be their own', async () => {
  const app = await startApp();
  const all: Waiting[] = [];
  for (let n = 0; n < 4; n += 1) all.push(await app.waitingRequest());
  const own = (which: (one: Waiting) => unknown) => new Set(all.map(which)).size;
  expect(own(({ signId }) => signId)).toBe(4);
  expect(own(({ contract }) => contract.externalId)).toBe(4);
  expect(own(({ contract }) => contract.signUrl)).toBe(4);
  expect(own(({ owner }) => owner.username)).toBe(4);
  expect(app.sandbox.state().counters.calls['signature.create']).toBe(4);
});

test('a copied beginning of a story is the one that would have been told', async () => {
  // With settings of its own, even if none, it is told.
  const real = await story({}).twoOpen().end();
  await story().twoOpen().end();
  const copied = await story().twoOpen().end();
  const [told, again] = [real, copied].map(({ app, id }) => everything(app, app.waiting(id)));
  expect(again).toEqual(told);
});
