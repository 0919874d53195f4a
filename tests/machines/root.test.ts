/** What only root can try. */
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { checkBackup } from '../../src/core/backup/read-copy.js';
import { writeSnapshot } from '../../src/core/backup/write-snapshot.js';
import { run, startCli } from '../cli/support.js';
import { startApp, temporaryDirectory } from '../support/app.js';
import { saveSignedPdf } from '../support/signed-pdf.js';
import { isRoot } from './needs.js';
import { smallDisk } from './small-disk.js';

test.skipIf(!isRoot)(
  'it is refused on a data directory of another user, and leaves nothing there',
  async () => {
    const { env } = await startCli();
    const dataDir = temporaryDirectory();
    chownSync(dataDir, 65_534, 65_534);
    const elsewhere = { ...env, ESIGN_DATA_DIR: dataDir };

    for (const argv of [
      ['failed', 'list'],
      ['migrate'],
      ['expire-contracts'],
      ['check-signature', '--all'],
    ]) {
      const { code, stdout, stderr } = await run(argv, { env: elsewhere });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/sudo -u (nobody|'#65534') esignctl/);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

test.skipIf(!isRoot)('a snapshot on another disk: PDFs are copied there once', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  const directory = join(smallDisk().directory, 'snapshot');
  const { dataDir, clock } = app;
  const make = () => writeSnapshot({ dataDir, directory, clock, isThorough: true });

  expect(await make()).toMatchObject({ added: 1 });
  expect(await make()).toMatchObject({ added: 0, files: 1 });
  await saveSignedPdf(app.ctx, contract.id, Readable.from([Buffer.from('%PDF-1.7 signed\n%%EOF')]));
  expect(await make()).toMatchObject({ added: 1, files: 2 });
  expect((await checkBackup(directory)).problems).toEqual([]);
});
