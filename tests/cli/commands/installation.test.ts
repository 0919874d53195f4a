/** esignctl expire-contracts, migrate and prune, which cron and packages call. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/db/migrations/index.js';
import { temporaryDirectory } from '../../support/app.js';
import { OLD, oldData } from '../../support/old-data.js';
import { json, jsonError, startCli, type Cli } from '../support.js';

async function aDueContract(cli: Cli) {
  const waiting = await cli.waitingRequest();
  cli.ctx.db.raw
    .prepare('UPDATE contracts SET expiredAt = ? WHERE id = ?')
    .run('2026-03-02T09:14:07.250Z', waiting.contract.id);
  return waiting;
}

describe('expire-contracts', () => {
  test('prints each contract and the count; a second run has nothing to do; the request is not touched', async () => {
    const cli = await startCli();
    const { request, contract } = await aDueContract(cli);
    await cli.waitingRequest();

    expect(await cli.run('expire-contracts')).toEqual({
      code: 0,
      stdout:
        `expired contract ${contract.id} of request ${request.id}: PENDING, its date was 2026-03-02T09:14:07.250Z\n` +
        'expired 1 contract\n',
      stderr: '',
    });
    expect(cli.contract(request.id).status).toBe('EXPIRED');
    expect(cli.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(await cli.run('expire-contracts')).toMatchObject({ code: 0, stdout: 'expired 0 contracts\n' });
  });
});

describe('migrate', () => {
  async function anOldOne() {
    const cli = await startCli();
    const dataDir = oldData();
    const migrate = (...argv: string[]) =>
      cli.runIn({ env: { ESIGN_DATA_DIR: dataDir } }, 'migrate', ...argv);
    return { cli, dataDir, migrate };
  }

  test('an older database gets the schema; again there is nothing to do', async () => {
    const { migrate } = await anOldOne();

    const first = await migrate('--json');
    expect(first.code).toBe(0);
    const { applied, schema } = json(first) as { applied: string[]; schema: number };
    expect(applied).toEqual(MIGRATIONS.map(({ name }) => name));

    expect(json(await migrate('--json'))).toEqual({ applied: [], backup: null, schema });
    expect((await migrate()).stdout).toBe(`up to date; the database has schema ${schema}\n`);
  });

  test('an empty directory is refused: its file system may not be mounted', async () => {
    const cli = await startCli();
    const dataDir = temporaryDirectory();
    const { code, stderr } = await cli.runIn({ env: { ESIGN_DATA_DIR: dataDir } }, 'migrate');
    expect(code).toBe(4);
    expect(stderr).toMatch(/no database in .*no_data.*\n.*mounted.*esignctl init/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a database that lacks a migration: exit 2, and the hint names the command that brings it up', async () => {
    const { cli, dataDir } = await anOldOne();
    const ran = await cli.runIn({ env: { ESIGN_DATA_DIR: dataDir } }, 'failed list --json');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(jsonError(ran)).toEqual({
      code: 'wrong_schema',
      message: `The database lacks ${MIGRATIONS.length} migration(s).`,
      hint: 'Run `esignctl migrate`, or start esignd, which does it.',
    });
  });

  test.each([
    [9999, 'newer version'],
    [OLD - 1, `has schema ${OLD - 1}, and this program opens schemas from ${OLD} on`],
  ])('a database of schema %d: exit 2, by every command, and it stays as it is', async (schema, why) => {
    const { cli, dataDir, migrate } = await anOldOne();
    const db = new Database(join(dataDir, 'esign.db'));
    db.pragma(`user_version = ${schema}`);
    db.close();

    const ran = await migrate('--json');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(jsonError(ran)).toMatchObject({
      code: 'wrong_schema',
      message: expect.stringContaining(why),
    });
    const list = await cli.runIn({ env: { ESIGN_DATA_DIR: dataDir } }, 'failed list');
    expect(list.code).toBe(2);
  });
});

test('prune says that a reader keeps it from folding the write-ahead log in, and how to go on', async () => {
  const cli = await startCli();
  const reader = new Database(join(cli.dataDir, 'esign.db'), { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM jobs');
  cli.ctx.db.raw.exec('UPDATE users SET phone = phone');

  const held = await cli.run('prune');
  reader.close();

  expect(held).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('end that program, such as an sqlite3 shell'),
  });
  expect(await cli.run('prune')).toEqual({ code: 0, stdout: 'nothing to remove\n', stderr: '' });
});
