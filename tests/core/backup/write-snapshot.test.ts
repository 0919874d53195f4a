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
import { lockedSideDatabase } from '../../../src/db/installation/daemon-lock.js';
import { rejection, temporaryDirectory, TESTER, type TestApp } from '../../support/app.js';
import { anApp } from '../../support/backups.js';
import { writerOfPairs } from '../../support/other-process.js';
import { saveSignedPdf } from '../../support/signed-pdf.js';

async function aService() {
  const app = await anApp();
  const { dataDir, clock, signed: id } = app;
  const directory = join(temporaryDirectory(), 'snapshot');
  const make = (more: Partial<Parameters<typeof writeSnapshot>[0]> = {}) =>
    writeSnapshot({ dataDir, directory, clock, ...more });
  return { app, directory, id, make };
}

/** What is opened goes with the test. */
async function restoredFrom(app: TestApp, directory: string) {
  const dataDir = temporaryDirectory();
  await restoreBackup({ dataDir, file: directory, clock: app.clock, actor: TESTER });
  const restored = openContext({ ...app.ctx.config, dataDir });
  onTestFinished(() => restored.close());
  return { dataDir, raw: restored.db.raw };
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
  const { dataDir, raw } = await restoredFrom(app, directory);
  const bytes = (from: string, name: string) => readFileSync(join(from, name));
  for (const name of [`contracts/${id}.pdf`, `contracts/${id}.draft.pdf`, 'keys/jwt.secret'])
    expect(bytes(dataDir, name).equals(bytes(app.dataDir, name))).toBe(true);
  const all = 'SELECT * FROM requests';
  expect(raw.prepare(all).all()).toEqual(app.ctx.db.raw.prepare(all).all());
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

  const { raw } = await restoredFrom(app, directory);
  const one = (sql: string) => raw.prepare(sql).pluck().get() as number;
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
    expect(await make({ isThorough: true })).toMatchObject({ added: 1 });

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
    expect((await rejection(make({ signal: AbortSignal.abort() }))).name).toBe('AbortError');

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
  const NO_SNAPSHOT = { code: 'not_a_snapshot', kind: 'refused' };

  test('a directory with other files, and the data directory itself', async () => {
    const { app, make } = await aService();
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'precious.txt'), 'x');
    expect(await rejection(make({ directory }))).toMatchObject(NO_SNAPSHOT);
    expect(readdirSync(directory)).toEqual(['precious.txt']);
    expect(await rejection(make({ directory: app.dataDir }))).toMatchObject(NO_SNAPSHOT);
  });

  test('the snapshot of another installation', async () => {
    const [mine, others] = [await aService(), await aService()];
    await mine.make();
    expect(await rejection(others.make({ directory: mine.directory }))).toMatchObject(NO_SNAPSHOT);
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
