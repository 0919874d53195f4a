/** The daemon's log tells the history, by ids, once it is on disk. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openContext } from '../../../src/core/open-context.js';
import { logHistory } from '../../../src/core/installation/daemon.js';
import { record } from '../../../src/core/history/history.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';

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
