/** One daemon works on a data directory. */
import { expect, test } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDaemon, StartError, WrongDataError, logHistory } from '../../../src/core/installation/daemon.js';
import { migrateData } from '../../../src/core/installation/migrate.js';
import { openContext } from '../../../src/core/open-context.js';
import { checkDatabase } from '../../../src/core/doctor/database-check.js';
import { initData } from '../../../src/core/installation/init.js';
import { rejection, startApp, temporaryDirectory, TESTER, type TestApp } from '../../support/app.js';
import { oldData } from '../../support/old-data.js';
import { pino } from 'pino';
import { record } from '../../../src/core/history/history.js';

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

const AT = '2026-03-02T09:14:07.000Z';

function logOf({ ctx }: TestApp, level = 'info') {
  const lines: { msg: string; [name: string]: unknown }[] = [];
  const log = pino(
    { level, base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  logHistory({ ...ctx, log });
  return { lines, log };
}

const note = ({ ctx }: Pick<TestApp, 'ctx'>, what: 'request.changed' | 'mail.sent' | 'data.pruned') =>
  ctx.writer.write((db) =>
    record(db, { at: AT, actor: TESTER, what, requestId: null, detail: { to: 'anna@example.org' } }),
  );

test('each entry is one line, in order, with ids and no names or details; what came before is not told again', async () => {
  const app = await startApp();
  await note(app, 'request.changed');
  const { lines } = logOf(app);

  await note(app, 'mail.sent');
  await note(app, 'data.pruned');

  const [mail, pruned] = lines;
  expect(lines).toHaveLength(2);
  expect(mail).toEqual({ level: 30, historyId: expect.any(Number), msg: 'mail.sent' });
  expect(pruned).toEqual({ level: 30, historyId: Number(mail?.['historyId']) + 1, msg: 'data.pruned' });
});

test('nothing that was undone is reported', async () => {
  const app = await startApp();
  const { lines } = logOf(app);

  const failing = app.ctx.writer.write((db) => {
    record(db, { at: AT, actor: TESTER, what: 'mail.sent', requestId: null });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await note(app, 'data.pruned');

  expect(lines.map(({ msg }) => msg)).toEqual(['data.pruned']);
});

test('what another process wrote is reported with the next commit', async () => {
  const app = await startApp();
  const { lines } = logOf(app);
  const command = openContext(app.ctx.config, { log: pino({ level: 'silent' }) });

  await note({ ctx: command }, 'mail.sent');
  await command.close();
  await note(app, 'data.pruned');

  expect(lines.map(({ msg }) => msg)).toEqual(['mail.sent', 'data.pruned']);
});

test('very many at once all come, and a log that was quiet does not catch up with what it left out', async () => {
  const app = await startApp();
  const { lines, log } = logOf(app, 'warn');
  await note(app, 'mail.sent');
  log.level = 'info';

  await Promise.all(Array.from({ length: 450 }, () => note(app, 'data.pruned')));
  while (lines.length < 450) await new Promise((resolve) => setImmediate(resolve));

  expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(['data.pruned']));
  expect(new Set(lines.map(({ historyId }) => historyId)).size).toBe(450);
});

test('a history that cannot be read stops nothing, and is logged with the next commit', async () => {
  const app = await startApp();
  const { lines } = logOf(app);
  const { raw } = app.ctx.db;

  await app.ctx.writer.write((db) => {
    record(db, { at: AT, actor: TESTER, what: 'mail.sent', requestId: null });
    raw.exec('ALTER TABLE history RENAME TO hidden');
  });
  raw.exec('ALTER TABLE hidden RENAME TO history');
  await note(app, 'data.pruned');

  expect(lines.map(({ msg }) => msg)).toEqual([
    'the history could not be read for the log',
    'mail.sent',
    'data.pruned',
  ]);
});
