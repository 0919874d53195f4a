/** esignctl backup and restore: what is asked, said and answered. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/app.js';
import { json, jsonError, run, startCli, type Cli } from '../support.js';

async function aBackup(): Promise<{ cli: Cli; file: string }> {
  const cli = await startCli();
  await cli.waitingRequest();
  const file = join(temporaryDirectory(), 'esign.tar');
  await cli.run('backup', file);
  return { cli, file };
}

test('backup says what it saved; an existing file is kept unless --force is given', async () => {
  const { cli, file } = await aBackup();

  const again = await cli.run('backup', file);
  expect(again).toMatchObject({ code: 3, stdout: '' });
  expect(again.stderr).toMatch(/^esignctl: .* exists\. \[file_exists\]\nhint: .*--force.*\n$/);

  const forced = await cli.run('backup', file, '--force');
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain(`backed up ${file} (`);
  expect(forced.stdout).toContain('1 request, 1 PDF, 0 key files');
});

test.each([
  ['in its head', 0],
  ['in its pages', 8 * 4096],
])('a database that is damaged %s: exit 3, said in words, and nothing is written', async (_, at) => {
  const { cli, file } = await aBackup();
  await cli.ctx.close();
  const database = readFileSync(join(cli.dataDir, 'esign.db'));
  writeFileSync(join(cli.dataDir, 'esign.db'), database.fill('damage ', at, at + 30 * 4096));

  const { code, stdout, stderr } = await cli.run('backup', `${file}.2`);

  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(
    /^esignctl: The database itself is damaged, .*: .*(malformed|not a database|\*\*\*).* \[database_damaged\]\nhint: .*restore/s,
  );
  expect(existsSync(`${file}.2`)).toBe(false);
});

test('of many missing PDFs the first are named on a terminal, and all of them in the document', async () => {
  const { cli, file } = await aBackup();
  cli.ctx.db.raw.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
    INSERT INTO contracts (requestId, status, amount, currency, createdAt, signedAt, pdfSha256, pdfSize, key, externalId)
      SELECT requestId, 'EXPIRED', amount, currency, createdAt, createdAt, 'digest', 1, printf('%016x', i), 'external' || i
      FROM n, (SELECT * FROM contracts LIMIT 1)`);

  const { code, stderr } = await cli.run('backup', file, '--force');

  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(21);
  expect(stderr).toMatch(/is missing\nand 5 more problems; --json lists all of them\n$/);
  const listed = json(await cli.run('backup', file, '--force', '--json'));
  expect(listed['problems']).toHaveLength(25);
});

test('its help warns that the file holds secrets', async () => {
  expect((await run(['backup', '--help'])).stdout).toMatch(/keys\/.*forge/s);
});

test('restore --check needs no settings; exit 0 for a whole backup, 3 for a damaged one, 4 for none', async () => {
  const { file } = await aBackup();
  expect(await run(['restore', '--check', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`whole: ${file}`),
  });
  expect(json(await run(['restore', '--check', file, '--json']))).toMatchObject({
    requests: 1,
    problems: [],
  });

  writeFileSync(file, 'nonsense');
  const damaged = await run(['restore', '--check', file, '--json']);
  expect(damaged).toMatchObject({ code: 3, stdout: '' });
  expect(jsonError(damaged).code).toBe('backup_damaged');
  rmSync(file);
  expect((await run(['restore', '--check', file])).code).toBe(4);
});

describe('restore', () => {
  test('asks first, and changes nothing without an answer or with --dry-run', async () => {
    const { cli, file } = await aBackup();
    const dataDir = join(temporaryDirectory(), 'data');
    const env = { ESIGN_DATA_DIR: dataDir };

    expect((await cli.runIn({ env }, 'restore', file)).stderr).toContain('Add --yes');
    const dry = await cli.runIn({ env }, 'restore', file, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: 'dry run: nothing was changed\n' });
    expect(existsSync(dataDir)).toBe(false);

    const restored = await cli.runIn({ env }, 'restore', file, '--yes', '--json');
    expect(json(restored)).toMatchObject({ requests: 1, pdfs: 1, aside: expect.stringContaining(dataDir) });
    expect(json(await cli.runIn({ env }, 'backup', `${file}.2`, '--json'))).toMatchObject({ problems: [] });
  });

  test('beside another command: exit 5, try later', async () => {
    const { cli, file } = await aBackup();
    const { code, stderr } = await cli.run('restore', file, '--yes');
    expect(code).toBe(5);
    expect(stderr).toContain('data_in_use');
    expect(stderr, 'a reader that never ends by itself').toContain('a program that replicates it');
  });
});
