/** A service on restored data. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar, unpackTar } from 'modern-tar';
import { DATABASE, isKey, MANIFEST, manifestText, placeOf } from '../../src/core/backup/manifest.js';
import { restoreBackup } from '../../src/core/backup/restore-backup.js';
import { iso } from '../../src/core/clock.js';
import { packageVersion } from '../../src/core/installation/version.js';
import { findInstallationId } from '../../src/db/installation/installation.js';
import { startApp, temporaryDirectory, TESTER, type TestApp } from './app.js';

/**
 * A backup of the service as it stands, as `writeBackup` makes it (tests/core/backup/write-backup.test.ts compares them). For that one SQLite works
 * in two processes of its own, which cost more than most tests.
 */
export async function backupOf({ ctx, dataDir, clock }: TestApp): Promise<string> {
  const database = ctx.db.raw.serialize();
  // Two bytes of the header say that it has no WAL.
  database.fill(1, 18, 20);
  const read = (folder: string, isIn: (name: string) => boolean) =>
    readdirSync(join(dataDir, folder))
      .filter(isIn)
      .map((name) => [name, readFileSync(join(dataDir, folder, name))] as const);
  const keys = read('keys', (name) => isKey(`keys/${name}`));
  const contracts = read('contracts', (name) => placeOf(name) !== undefined);
  const measured = (name: string, bytes: Buffer) => ({
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const manifest = manifestText({
    version: packageVersion(),
    madeAt: iso(clock.now()),
    installation: findInstallationId(ctx.db),
    schema: ctx.db.raw.pragma('user_version', { simple: true }) as number,
    counts: {},
    database: measured(DATABASE, database),
    keys: keys.map(([name, bytes]) => measured(`keys/${name}`, bytes)),
    contractFiles: contracts.length,
    contractsSeen: null,
  });
  const files: [string, Buffer][] = [
    [DATABASE, database],
    ...keys.map(([name, bytes]): [string, Buffer] => [`keys/${name}`, bytes]),
    ...contracts.map(([name, bytes]): [string, Buffer] => [`contracts/${placeOf(name)}`, bytes]),
    [MANIFEST, Buffer.from(manifest)],
  ];
  const file = join(temporaryDirectory(), 'esign.tar');
  const entries = files.map(([name, body]) => ({ header: { name, size: body.length }, body }));
  writeFileSync(file, await packTar(entries));
  return file;
}

/** Another machine with the backup, at the same providers; it is held. */
export async function anotherMachine(first: TestApp, file: string): Promise<TestApp> {
  const dataDir = join(temporaryDirectory(), 'data');
  await restoreBackup({ dataDir, file, clock: first.clock, actor: TESTER });
  return startApp({ dataDir, beside: first });
}

/**
 * The same installation, put back to where the backup was and let go without a look at the providers, which stay as they are:
 * what was missed has to be found by checks. The files are put there at once: a restore reads its database through in a process of
 * its own, which is no matter here.
 */
export async function restored(app: TestApp, file: string): Promise<TestApp> {
  await app.ctx.close();
  const { dataDir } = app;
  rmSync(join(dataDir, 'contracts'), { recursive: true });
  mkdirSync(join(dataDir, 'contracts'), { mode: 0o750 });
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, DATABASE + suffix), { force: true });
  for (const { header, data } of await unpackTar(readFileSync(file)))
    if (header.name !== MANIFEST)
      writeFileSync(join(dataDir, header.name.replace(/^contracts\/.*\//, 'contracts/')), data ?? '');
  return startApp({ dataDir, beside: app });
}
