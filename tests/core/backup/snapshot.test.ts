/** A snapshot is made again and again in one directory; it is at any time a whole copy, or refused as unfinished. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkBackup } from '../../../src/core/backup/read-copy.js';
import { restoreBackup } from '../../../src/core/backup/restore-backup.js';
import { placeOf } from '../../../src/core/backup/manifest.js';
import { writeSnapshot } from '../../../src/core/backup/write-snapshot.js';
import { openContext } from '../../../src/core/open-context.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { lockedSideDatabase } from '../../../src/db/installation/daemon-lock.js';
import { rejection, startApp, temporaryDirectory, TESTER, type TestApp } from '../../support/app.js';
import { writerOfPairs } from '../../support/other-process.js';
import { saveSignedPdf } from '../../support/signed-pdf.js';

interface Snapshotting {
  app: TestApp;
  directory: string;
  /** The signed contract. */
  id: number;
  make: () => ReturnType<typeof writeSnapshot>;
}

/** A service with a signed contract, a waiting one, and a key. */
async function aService(): Promise<Snapshotting> {
  const app = await startApp();
  const { signId, request } = await app.waitingRequest();
  await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkAllSignatures(app.ctx, { actor: TESTER });
  writeFileSync(join(app.dataDir, 'keys', 'jwt.secret'), 'k'.repeat(43), { mode: 0o600 });
  const directory = join(temporaryDirectory(), 'snapshot');
  const { dataDir, clock } = app;
  return {
    app,
    directory,
    id: app.contract(request.id).id,
    make: () => writeSnapshot({ dataDir, directory, clock }),
  };
}

const inSnapshot = (directory: string, name: string) => join(directory, 'contracts', placeOf(name) ?? '');

test('holds database, PDFs and keys, is open to its owner alone, and is read as a backup is', async () => {
  const { directory, make } = await aService();

  const made = await make();

  expect(made).toMatchObject({
    directory,
    files: 3,
    added: 3,
    removed: 0,
    counts: { requests: 2, contracts: 2 },
  });
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(await checkBackup(directory)).toMatchObject({
    file: directory,
    installation: made.installation,
    requests: 2,
    pdfs: 3,
    keys: 1,
    problems: [],
  });
});

test('the way back: restored into an empty directory, database, PDFs and keys are what they were', async () => {
  const { app, directory, id, make } = await aService();
  await make();
  const dataDir = temporaryDirectory();

  await restoreBackup({ dataDir, file: directory, clock: app.clock, actor: TESTER });

  const bytes = (from: string, name: string) => readFileSync(join(from, name));
  for (const name of [`contracts/${id}.pdf`, `contracts/${id}.draft.pdf`, 'keys/jwt.secret'])
    expect(bytes(dataDir, name).equals(bytes(app.dataDir, name))).toBe(true);
  const restored = openContext({ ...app.ctx.config, dataDir });
  onTestFinished(() => restored.close());
  expect(restored.db.raw.prepare('SELECT * FROM requests').all()).toEqual(
    app.ctx.db.raw.prepare('SELECT * FROM requests').all(),
  );
  // What it shares with the snapshot is replaced, never written into.
  expect((await checkBackup(directory)).problems).toEqual([]);
});

test('made again, unchanged pages of the database lie where they lay', async () => {
  const { app, directory, make } = await aService();
  for (let i = 0; i < 200; i += 1) await app.addRequest(undefined, { description: 'x'.repeat(2_000) });
  await make();
  const before = readFileSync(join(directory, 'esign.db'));
  await app.addRequest(undefined, { title: 'One more' });
  await make();
  const after = readFileSync(join(directory, 'esign.db'));

  const pages = Array.from({ length: after.length / 4096 }, (_, i) => i * 4096);
  const changed = pages.filter((at) => !after.subarray(at, at + 4096).equals(before.subarray(at, at + 4096)));
  expect(pages.length).toBeGreaterThan(150);
  expect(changed.length).toBeLessThan(30);
});

test('while another process writes without a pause, it holds one consistent state and is finished', async () => {
  const { app, directory, make } = await aService();
  app.ctx.db.raw.exec('CREATE TABLE pairs (a INTEGER, b INTEGER)');
  const other = writerOfPairs(app.ctx.db.raw.name);
  await other.hear();
  await make();
  await make();
  await other.kill();

  const dataDir = temporaryDirectory();
  await restoreBackup({ dataDir, file: directory, clock: app.clock, actor: TESTER });
  const restored = openContext({ ...app.ctx.config, dataDir });
  onTestFinished(() => restored.close());
  const one = (sql: string) => restored.db.raw.prepare(sql).pluck().get() as number;
  expect(one('SELECT count(*) FROM pairs WHERE b IS NOT a')).toBe(0);
  expect(one('SELECT count(*) FROM pairs')).toBeGreaterThan(199);
});

describe('the files of contracts', () => {
  const PDF = (words: string) => [Buffer.from(`%PDF-1.7 ${words} %%EOF`)];
  const stored = async function* (words: string) {
    yield* PDF(words);
  };

  test('are links: they take no room, and a PDF that is replaced stays in the snapshot as it was until the next run', async () => {
    const { app, directory, id, make } = await aService();
    await make();
    const [data, copy] = [join(app.dataDir, 'contracts', `${id}.pdf`), inSnapshot(directory, `${id}.pdf`)];
    expect(statSync(copy).ino).toBe(statSync(data).ino);
    const before = readFileSync(copy);

    await saveSignedPdf(app.ctx, id, stored('another'));

    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(await make()).toMatchObject({ added: 1 });
    expect(readFileSync(copy, 'utf8')).toContain('another');
  });

  test('that were removed vanish; a signed PDF that the disk has lost stays', async () => {
    const { app, directory, id, make } = await aService();
    await make();
    for (const name of [`${id}.draft.pdf`, `${id}.pdf`]) rmSync(join(app.dataDir, 'contracts', name));

    expect(await make()).toMatchObject({ files: 2, removed: 1 });

    expect(existsSync(inSnapshot(directory, `${id}.draft.pdf`))).toBe(false);
    expect((await checkBackup(directory)).problems).toEqual([]);
  });

  test('are compared again only when their directory has changed, or when all is to be verified', async () => {
    const { app, directory, id, make } = await aService();
    const contracts = join(app.dataDir, 'contracts');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(contracts, longAgo, longAgo);
    await make();
    rmSync(inSnapshot(directory, `${id}.pdf`));

    expect(await make()).toMatchObject({ files: 3, added: 0 });
    const { dataDir, clock } = app;
    expect(await writeSnapshot({ dataDir, directory, clock, isThorough: true })).toMatchObject({ added: 1 });

    await saveSignedPdf(app.ctx, 99, stored('new'));
    expect(await make()).toMatchObject({ files: 4, added: 1 });
  });
});

describe('cut off', () => {
  test('in the copy of the database it leaves the snapshot from before', async () => {
    const { app, directory, make } = await aService();
    const { madeAt } = await make();
    app.clock.advance(60_000);
    await app.addRequest();
    const { dataDir, clock } = app;
    const signal = AbortSignal.abort();

    expect((await rejection(writeSnapshot({ dataDir, directory, clock, signal }))).name).toBe('AbortError');

    expect(readdirSync(directory).toSorted()).toEqual([
      'contracts',
      'esign.db',
      'keys',
      'manifest.json',
      'snapshot.lock',
    ]);
    expect(await checkBackup(directory)).toMatchObject({ madeAt, requests: 2 });
  });

  test('before its first manifest, or between database and manifest, it is refused as unfinished, and the next run fixes it', async () => {
    const { app, directory, make } = await aService();
    await make();
    const manifest = readFileSync(join(directory, 'manifest.json'));
    await app.addRequest();
    await make();
    writeFileSync(join(directory, 'manifest.json'), manifest);
    expect(await rejection(checkBackup(directory))).toMatchObject({ code: 'backup_damaged' });
    rmSync(join(directory, 'manifest.json'));
    const error = await rejection(checkBackup(directory));
    expect(error).toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining('never finished'),
    });

    await make();
    expect((await checkBackup(directory)).requests).toBe(3);
  });
});

describe('refused, and the directory stays as it was', () => {
  test('a directory with other files', async () => {
    const { app } = await aService();
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'precious.txt'), 'x');
    const { dataDir, clock } = app;
    const error = await rejection(writeSnapshot({ dataDir, directory, clock }));
    expect(error).toMatchObject({ code: 'not_a_snapshot', kind: 'refused' });
    expect(readdirSync(directory)).toEqual(['precious.txt']);
  });

  test('the data directory itself', async () => {
    const { dataDir, clock } = (await aService()).app;
    const error = await rejection(writeSnapshot({ dataDir, directory: dataDir, clock }));
    expect(error).toMatchObject({ code: 'not_a_snapshot' });
  });

  test('the snapshot of another installation', async () => {
    const [mine, others] = [await aService(), await aService()];
    await mine.make();
    const { dataDir, clock } = others.app;
    const error = await rejection(writeSnapshot({ dataDir, directory: mine.directory, clock }));
    expect(error).toMatchObject({ code: 'not_a_snapshot' });
    expect((await checkBackup(mine.directory)).problems).toEqual([]);
  });

  test('a second run beside the first', async () => {
    const { directory, make } = await aService();
    await make();
    const lock = lockedSideDatabase(join(directory, 'snapshot.lock'), 0);
    expect(await rejection(make())).toMatchObject({ code: 'in_progress', kind: 'busy' });
    lock?.close();
    await make();
  });
});

test('a key that leads elsewhere is refused', async () => {
  const { directory, make } = await aService();
  await make();
  const key = join(directory, 'keys', 'jwt.secret');
  rmSync(key);
  symlinkSync('/etc/hostname', key);
  expect(await rejection(checkBackup(directory))).toMatchObject({
    code: 'backup_damaged',
    message: expect.stringContaining('keys/jwt.secret is missing'),
  });
});
