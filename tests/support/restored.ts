/** A service on restored data. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { DATABASE, isArchiveName, MANIFEST, manifestText } from '../../src/core/backup/manifest.js';
import { restoreBackup } from '../../src/core/backup/restore-backup.js';
import { iso } from '../../src/core/clock.js';
import { packageVersion } from '../../src/core/installation/version.js';
import { deleteHold } from '../../src/db/installation/hold.js';
import { startApp, temporaryDirectory, TESTER, type TestApp } from './app.js';

/**
 * A backup of the service as it stands, as `writeBackup` makes it (tests/core/backup.test.ts compares them). For that one SQLite works
 * in two processes of its own, which cost more than most tests.
 */
export async function backupOf({ ctx, dataDir, clock }: TestApp): Promise<string> {
  const file = join(temporaryDirectory(), 'esign.tar.gz');
  const database = ctx.db.raw.serialize();
  // Two bytes of the header say that it has no WAL.
  database.fill(1, 18, 20);
  const contents = new Map([[DATABASE, database]]);
  for (const directory of ['keys', 'contracts']) {
    const names = readdirSync(join(dataDir, directory)).map((name) => `${directory}/${name}`);
    for (const name of names.filter(isArchiveName).toSorted())
      contents.set(name, readFileSync(join(dataDir, name)));
  }
  const files = [...contents].map(([name, bytes]) => ({
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const schema = ctx.db.raw.pragma('user_version', { simple: true }) as number;
  const tar = pack();
  for (const [name, bytes] of contents) tar.entry({ name }, bytes);
  const manifest = { version: packageVersion(), madeAt: iso(clock.now()), schema, files };
  tar.entry({ name: MANIFEST }, manifestText(manifest));
  tar.finalize();
  writeFileSync(file, gzipSync(await buffer(tar), { level: 1 }));
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
 * what was missed has to be found by checks.
 */
export async function restored(app: TestApp, file: string): Promise<TestApp> {
  await app.ctx.close();
  const { dataDir, clock } = app;
  await restoreBackup({ dataDir, file, clock, actor: TESTER });
  const again = await startApp({ dataDir, beside: app });
  await again.ctx.writer.write((db) => deleteHold(db));
  return again;
}
