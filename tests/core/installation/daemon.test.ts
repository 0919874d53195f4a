/** One daemon works on a data directory. */
import { expect, test } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDaemon, StartError, WrongDataError } from '../../../src/core/installation/daemon.js';
import { migrateData } from '../../../src/core/installation/migrate.js';
import { openContext } from '../../../src/core/open-context.js';
import { checkDatabase } from '../../../src/core/doctor/database-check.js';
import { initData } from '../../../src/core/installation/init.js';
import { rejection, startApp, temporaryDirectory, TESTER } from '../../support/app.js';
import { oldData } from '../../support/old-data.js';

test('a second daemon refuses to start and names the process that holds the directory; later it may', async () => {
  const { ctx } = await startApp();
  const first = await openDaemon(ctx.config, { log: ctx.log });
  const refusal = await rejection(openDaemon(ctx.config, { log: ctx.log }));
  expect(refusal).toBeInstanceOf(StartError);
  expect(refusal.message).toBe(
    `Another esignd (process ${process.pid}) works on ${ctx.config.dataDir}. Stop it, or set ESIGN_DATA_DIR.`,
  );
  await first.close();
  const next = await openDaemon(ctx.config, { log: ctx.log });
  await next.close();
});

test('where a database must be, a daemon makes none: a disk that is not mounted looks empty', async () => {
  const { ctx } = await startApp();
  const config = { ...ctx.config, dataDir: temporaryDirectory() };
  const refusal = await rejection(openDaemon(config, { log: ctx.log, mustExist: true }));
  expect(refusal).toBeInstanceOf(WrongDataError);
  expect(refusal.message).toMatch(/no database in .* mounted\? .* esignctl restore.* esignctl init/);
  expect(readdirSync(config.dataDir)).toEqual([]);

  initData(config.dataDir);
  const daemon = await openDaemon(config, { log: ctx.log, mustExist: true });
  await daemon.close();
});

test('of another installation’s data, mounted by mistake, nothing is touched by daemon, command or migration', async () => {
  const { ctx } = await startApp();
  const dataDir = oldData();
  const before = readFileSync(join(dataDir, 'esign.db'));
  const config = { ...ctx.config, dataDir, installation: 'a'.repeat(16) };
  const refusal = await rejection(openDaemon(config, { log: ctx.log }));
  expect(refusal).toBeInstanceOf(WrongDataError);
  expect(refusal.message).toMatch(
    /belongs to installation [0-9a-f]{16}, .* mounted.* set ESIGN_INSTALLATION=/,
  );
  for (const open of [() => openContext(config), () => migrateData(config, { actor: TESTER })])
    expect(open).toThrow(/belongs to installation/);
  expect(await checkDatabase(config, false)).toMatchObject([
    {
      state: 'failed',
      message: expect.stringContaining('belongs to'),
      fix: expect.stringContaining('mounted'),
    },
  ]);
  expect(readFileSync(join(dataDir, 'esign.db'))).toEqual(before);

  const { installation } = initData(dataDir) as { installation: string };
  const daemon = await openDaemon({ ...config, installation }, { log: ctx.log });
  await daemon.close();
});

test('beside contracts a lost database is never replaced by an empty one: not by a daemon, not by init', async () => {
  const { ctx } = await startApp();
  const config = { ...ctx.config, dataDir: temporaryDirectory() };
  const pdf = join(config.dataDir, 'contracts', '1.pdf');
  mkdirSync(join(config.dataDir, 'contracts'));
  writeFileSync(pdf, 'x');
  expect(await rejection(openDaemon(config, { log: ctx.log }))).toBeInstanceOf(WrongDataError);
  // What a copy that failed leaves is no database either.
  writeFileSync(join(config.dataDir, 'esign.db'), '');
  expect(await rejection(openDaemon(config, { log: ctx.log }))).toBeInstanceOf(WrongDataError);
  expect(() => initData(config.dataDir)).toThrow(/but no database/);
  rmSync(pdf);
  expect(initData(config.dataDir)).toMatchObject({ created: true });
});

test('init leaves a database as it is', async () => {
  const dataDir = temporaryDirectory();
  const { installation } = initData(dataDir);
  expect(installation).toMatch(/^[0-9a-f]{16}$/);
  expect(initData(dataDir)).toEqual({ directory: dataDir, created: false, installation });
});

test('a daemon that starts removes the copy of all data that a killed restore has unpacked', async () => {
  const { ctx } = await startApp();
  const { dataDir } = ctx.config;
  const unpacked = join(dataDir, 'restore-unpacked');
  mkdirSync(join(unpacked, 'keys'), { recursive: true });
  writeFileSync(join(unpacked, 'keys', 'jwt.secret'), 'of the backup');
  writeFileSync(join(dataDir, 'restore-plan.json.tmp'), '{}');
  const daemon = await openDaemon(ctx.config, { log: ctx.log });
  await daemon.close();
  expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([]);
});
