/** One daemon works on a data directory. */
import { expect, test } from 'vitest';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoDataError, openDaemon, StartError } from '../../src/core/installation/daemon.js';
import { initData } from '../../src/core/installation/init.js';
import { rejection, startApp, temporaryDirectory } from '../support/app.js';

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
  expect(refusal).toBeInstanceOf(NoDataError);
  expect(refusal.message).toMatch(/no database in .* mounted\? .* esignctl restore.* esignctl init/);
  expect(readdirSync(config.dataDir)).toEqual([]);

  initData(config.dataDir);
  const daemon = await openDaemon(config, { log: ctx.log, mustExist: true });
  await daemon.close();
});

test('beside contracts a lost database is never replaced by an empty one: not by a daemon, not by init', async () => {
  const { ctx } = await startApp();
  const config = { ...ctx.config, dataDir: temporaryDirectory() };
  const pdf = join(config.dataDir, 'contracts', '1.pdf');
  mkdirSync(join(config.dataDir, 'contracts'));
  writeFileSync(pdf, 'x');
  expect(await rejection(openDaemon(config, { log: ctx.log }))).toBeInstanceOf(NoDataError);
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
