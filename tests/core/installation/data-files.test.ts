/** Files of the database that are not those that are open (rules 10); the daemon with them: tests/machines/moved-files.test.ts. */
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rejection, startApp } from '../../support/app.js';

test.each([
  ['moved away', 'esign.db', (file: string) => renameSync(file, `${file}.aside`)],
  [
    'replaced by a copy',
    'esign.db',
    (file: string) => {
      renameSync(file, `${file}.aside`);
      copyFileSync(`${file}.aside`, file);
    },
  ],
  ['moved away', 'esign.db-wal', (file: string) => renameSync(file, `${file}.aside`)],
])('while a file is %s (%s) nothing is stored; once it is back, all is', async (_, name, harm) => {
  const app = await startApp();
  await app.addUser();
  const file = join(app.dataDir, name);

  harm(file);
  expect(await rejection(app.addUser())).toMatchObject({ code: 'database_moved' });
  rmSync(file, { force: true });
  renameSync(`${file}.aside`, file);

  expect(await app.addUser()).toMatchObject({ id: 2 });
});
