/** A service on restored data. */
import { join } from 'node:path';
import { restoreBackup } from '../../src/core/backup/restore-backup.js';
import { writeBackup } from '../../src/core/backup/write-backup.js';
import { deleteHold } from '../../src/db/installation/hold.js';
import { startApp, temporaryDirectory, TESTER, type TestApp } from './app.js';

/** A backup of the service as it stands. */
export async function backupOf({ dataDir, clock }: TestApp): Promise<string> {
  const file = join(temporaryDirectory(), 'esign.tar.gz');
  await writeBackup({ dataDir, file, clock });
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
