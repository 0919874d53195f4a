/** Backups that tests begin with. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup } from '../../src/core/backup/write-backup.js';
import { systemClock } from '../../src/core/clock.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { startApp, temporaryDirectory, TESTER, type TestApp } from './app.js';

/** A service with a signed contract, a waiting one, and a key. */
export async function anApp() {
  const app = await startApp();
  const { signId, contract } = await app.waitingRequest();
  await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkAllSignatures(app.ctx, { actor: TESTER });
  writeFileSync(join(app.dataDir, 'keys', 'jwt.secret'), 'k'.repeat(43), { mode: 0o600 });
  return { ...app, signed: contract.id };
}

export async function aBackup(app: TestApp): Promise<string> {
  const file = join(temporaryDirectory(), 'esign.tar');
  await writeBackup({ dataDir: app.dataDir, file, clock: systemClock });
  return file;
}

let archive: Buffer | undefined;

/** A backup of such a service; made once. */
export async function someBackup(): Promise<string> {
  archive ??= readFileSync(await aBackup(await anApp()));
  const file = join(temporaryDirectory(), 'esign.tar');
  writeFileSync(file, archive);
  return file;
}

/** All that a restore must bring back, by name and hash; the database by what stands in it. */
export function contentOf(dataDir: string): Record<string, string> {
  const names = ['contracts', 'keys'].flatMap((folder) =>
    readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dataDir, name)))
        .digest('hex'),
    ]),
  );
}
