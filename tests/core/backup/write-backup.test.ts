/** A backup is whole or not there. */
import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DATABASE, findManifest } from '../../../src/core/backup/manifest.js';
import { filesBelow } from '../../../src/core/backup/mirror.js';
import { checkBackup, readCopy } from '../../../src/core/backup/read-copy.js';
import { writeSnapshot } from '../../../src/core/backup/write-snapshot.js';
import { writeBackup, backUpBySchedule } from '../../../src/core/backup/write-backup.js';
import { systemClock } from '../../../src/core/clock.js';
import { rejection, temporaryDirectory, startApp } from '../../support/app.js';
import { anApp } from '../../support/backups.js';
import { DEAD } from '../../support/holders.js';
import { backupOf } from '../../support/restored.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { findInstallationId } from '../../../src/db/installation/installation.js';
import { findLastRun } from '../../../src/db/installation/runs.js';
import { DAY } from '../../support/clock.js';
import { PATIENCE } from '../../support/patience.js';

const clock = systemClock;

const newFile = () => join(temporaryDirectory(), 'esign.tar');

/** Its manifest and files, and every row of its database. */
async function contentsOf(file: string) {
  const path = join(temporaryDirectory(), DATABASE);
  const unpack = (name: string) => (name === DATABASE ? path : undefined);
  const contents = await readCopy(file, { unpack, signal: undefined });
  const db = new Database(path, { readonly: true });
  onTestFinished(() => void db.close());
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .raw()
    .all() as [string, string][];
  const rows = tables.map(([table]) => db.prepare(`SELECT * FROM "${table}"`).all());
  const { database: _, counts: __, contractsSeen: ___, ...manifest } = contents.manifest;
  const files = [...contents.files.values()].filter(({ name }) => name !== DATABASE);
  return { journal: db.pragma('journal_mode'), tables, rows, manifest, files };
}

describe('backup', () => {
  test('holds database, PDFs and keys, is readable by its owner alone, and says what it holds', async () => {
    const app = await anApp();
    const file = newFile();

    const report = await writeBackup({ dataDir: app.dataDir, file, clock });

    expect(report).toMatchObject({ file, requests: 2, pdfs: 3, keys: 1, problems: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['esign.tar']);
    expect(await checkBackup(file)).toEqual(report);
  });

  test('is a tar of exactly what a snapshot is, and read as that is', async () => {
    const { dataDir, clock } = await anApp();
    const [directory, unpacked] = [join(temporaryDirectory(), 'snapshot'), temporaryDirectory()];
    const file = newFile();
    await writeSnapshot({ dataDir, directory, clock });
    const report = await writeBackup({ dataDir, file, clock });

    execFileSync('tar', ['-xf', file, '-C', unpacked]);

    rmSync(join(directory, 'snapshot.lock'));
    expect([...filesBelow(unpacked)].toSorted()).toEqual([...filesBelow(directory)].toSorted());
    const manifests = [directory, unpacked].map((each) => findManifest(each));
    expect(manifests[1]).toEqual({ ...manifests[0], contractsSeen: manifests[1]?.contractsSeen });
    const read = (from: string) => readCopy(from, { signal: undefined });
    const [{ files }, ...others] = await Promise.all([read(directory), read(unpacked), read(file)]);
    for (const other of others) expect(other.files).toEqual(files);
    expect(await checkBackup(directory)).toEqual({ ...report, file: directory });
  });

  test('holds the same as the backups that other tests begin with', async () => {
    const app = await anApp();
    const file = newFile();
    const report = await writeBackup({ dataDir: app.dataDir, file, clock: app.clock });

    const theirs = await backupOf(app);

    const reportOfTheirs = { ...(await checkBackup(theirs)), file, size: report.size };
    expect(reportOfTheirs).toEqual(report);
    const [contents, contentsOfTheirs] = [await contentsOf(file), await contentsOf(theirs)];
    expect(contentsOfTheirs).toEqual(contents);
  });

  test('a signed PDF that is missing or changed is reported, and the rest is saved', async () => {
    const app = await anApp();
    const [signed = ''] = readdirSync(join(app.dataDir, 'contracts')).filter((name) =>
      /^\d+\.pdf$/.test(name),
    );
    const pdf = join(app.dataDir, 'contracts', signed);
    const file = newFile();

    writeFileSync(pdf, '%PDF- something else %%EOF');
    const changed = await writeBackup({ dataDir: app.dataDir, file, clock });
    rmSync(pdf);
    const missing = await writeBackup({ dataDir: app.dataDir, file, clock, force: true });

    expect(changed.problems).toEqual([expect.stringContaining('is not the one that was stored')]);
    expect(missing.problems).toEqual([expect.stringContaining('is missing')]);
    expect((await checkBackup(file)).problems).toEqual(missing.problems);
  });

  test('a file of that name is kept without force, and replaced with it', async () => {
    const app = await anApp();
    const file = newFile();
    writeFileSync(file, 'precious');

    const error = await rejection(writeBackup({ dataDir: app.dataDir, file, clock }));
    expect(error.code).toBe('file_exists');
    expect(readFileSync(file, 'utf8')).toBe('precious');

    await writeBackup({ dataDir: app.dataDir, file, clock, force: true });
    expect((await checkBackup(file)).requests).toBe(2);
  });

  test('cut off in the middle it leaves nothing; what a killed one left is swept by the next', async () => {
    const app = await anApp();
    const { dataDir } = app;
    const directory = temporaryDirectory();
    const file = join(directory, 'esign.tar');
    const before = readdirSync(dataDir);
    mkdirSync(join(directory, `.esign.tar.${DEAD}.tmp`));
    mkdirSync(join(dataDir, `.backup.${DEAD}.tmp`));
    const stop = new AbortController();
    const { signal } = stop;

    const cutOff = writeBackup({ dataDir, file, clock, signal, onProgress: () => stop.abort() });

    expect((await rejection(cutOff)).name).toBe('AbortError');
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('neither what is saved nor anything but a regular file is replaced, even by force', async () => {
    const { dataDir } = await anApp();
    const before = readdirSync(dataDir);
    const elsewhere = temporaryDirectory();
    symlinkSync('/nowhere', join(elsewhere, 'link.tar'));
    symlinkSync(dataDir, join(elsewhere, 'data'));
    const files = [
      ...['esign.db', 'esign.db-wal', 'keys/jwt.secret', 'contracts/new.tar'].map((name) =>
        join(dataDir, name),
      ),
      join(elsewhere, 'data', 'esign.db'),
      join(elsewhere, 'link.tar'),
      elsewhere,
    ];
    for (const file of files)
      expect(await rejection(writeBackup({ dataDir, file, clock, force: true }))).toMatchObject({
        code: expect.stringMatching(/not_permitted|not_found/) as unknown,
      });
    expect(readdirSync(dataDir)).toEqual(before);
    expect(readFileSync(join(dataDir, 'esign.db')).subarray(0, 6).toString()).toBe('SQLite');
  });

  test('no backup is written of a directory without data', async () => {
    const dataDir = temporaryDirectory();
    const file = newFile();
    expect((await rejection(writeBackup({ dataDir, file, clock }))).code).toBe('no_data');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

/** Two backups by the clock are kept. */
async function scheduled() {
  const app = await startApp({ env: { ESIGN_BACKUP_KEEP: '2' } });
  const directory = join(temporaryDirectory(), 'backups');
  return { app, directory, backUp: () => backUpBySchedule(app.ctx, { directory }) };
}

test('the newest are kept, earlier ones go; files of others and archives of another installation are not touched', async () => {
  const { app, directory, backUp } = await scheduled();
  app.clock.set('2026-03-02T02:15:00.000Z');
  const id = findInstallationId(app.ctx.db);
  const others = 'esign-0123456789abcdef-20200101T000000Z.tar';
  expect(await backUp()).toMatchObject({
    file: join(directory, `esign-${id}-20260302T021500Z.tar`),
    removed: 0,
  });
  for (const name of ['esign-by-hand.tar', others]) writeFileSync(join(directory, name), 'x');
  app.clock.advance(DAY);
  await backUp();
  app.clock.advance(DAY);
  expect(await backUp()).toMatchObject({ removed: 1 });
  expect(readdirSync(directory).sort()).toEqual(
    [
      `esign-${id}-20260303T021500Z.tar`,
      `esign-${id}-20260304T021500Z.tar`,
      'esign-by-hand.tar',
      others,
    ].toSorted(),
  );
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(JSON.parse(findLastRun(app.ctx.db, { name: 'backup' })?.result ?? '')).toMatchObject({ removed: 1 });
});

test('one that fails leaves the earlier ones, and is no run', async () => {
  const { app, directory, backUp } = await scheduled();
  await backUp();
  const before = readdirSync(directory);
  const run = findLastRun(app.ctx.db, { name: 'backup' });
  app.clock.advance(DAY);
  const gone = { ...app.ctx, config: { ...app.ctx.config, dataDir: join(directory, 'nowhere') } };
  await rejection(backUpBySchedule(gone, { directory }));
  expect(readdirSync(directory)).toEqual(before);
  expect(findLastRun(app.ctx.db, { name: 'backup' })).toEqual(run);
});

test('a missed one is made up for when the daemon starts; without a directory there is none', async () => {
  const { app, directory } = await scheduled();
  await startSchedules(app.ctx).stop();
  expect(findLastRun(app.ctx.db, { name: 'backup' })).toBeUndefined();
  const config = {
    ...app.ctx.config,
    backupDir: directory,
    reconcileCron: undefined,
    housekeepingCron: undefined,
    digestCron: undefined,
  };
  const schedules = startSchedules({ ...app.ctx, config });
  await expect.poll(() => findLastRun(app.ctx.db, { name: 'backup' }), PATIENCE).toBeDefined();
  await schedules.stop();
  expect(readdirSync(directory)).toHaveLength(1);
});
