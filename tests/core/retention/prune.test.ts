/** The nightly housekeeping: what has served its time goes, what is still needed stays, and nobody waits for it. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { paths } from '../../../src/core/installation/paths.js';
import { prune } from '../../../src/core/retention/prune.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { findLastRun, insertRun } from '../../../src/db/installation/runs.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { DEAD, LIVING } from '../../support/holders.js';
import { told } from '../../support/queue.js';
import { deliver } from '../../support/webhooks.js';

const NOTHING = {
  jobs: 0,
  inboxBodies: 0,
  deliveries: 0,
  refreshTokens: 0,
  passwordLinks: 0,
  sessions: 0,
  idempotencyKeys: 0,
  userCalls: 0,
  runs: 0,
  files: 0,
  folded: true,
};

const pruneNow = (app: TestApp, options: { dryRun?: boolean; signal?: AbortSignal } = {}) =>
  prune(app.ctx, { actor: SCHEDULE, ...options });
const rows = (app: TestApp, sql: string) => app.ctx.db.raw.prepare(sql).all();

/** A request from start to payment link: webhook, completion, three mails and a session, all done. */
async function finishedApp() {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  app.sandbox.sign(waiting.signId);
  await deliver(app, waiting.signId);
  await app.ctx.jobs.idle();
  await app.drain();
  return { app, waiting };
}

test('completed jobs go however many there are, also behind many that stay, and the young ones stay', async () => {
  const app = await startApp();
  const insert = app.ctx.db.raw.prepare(
    `INSERT INTO jobs (kind, payload, state, runAt, createdAt, finishedAt)
     VALUES ('send-mail', '{}', ?, :at, :at, :at)`,
  );
  const add = (count: number, state: string, at: Date) => {
    for (let i = 0; i < count; i += 1) insert.run(state, { at: at.toISOString() });
  };
  const old = app.clock.now();
  app.ctx.db.raw.transaction(() => {
    add(700, 'failed', old);
    add(1_100, 'completed', old);
    app.clock.advance(31 * DAY);
    add(3, 'completed', app.clock.now());
  })();
  expect(await pruneNow(app, { dryRun: true })).toEqual({ ...NOTHING, jobs: 1_100 });
  expect(await pruneNow(app)).toEqual({ ...NOTHING, jobs: 1_100 });
  expect(rows(app, 'SELECT state, count(*) AS n FROM jobs GROUP BY state')).toEqual([
    { state: 'completed', n: 3 },
    { state: 'failed', n: 700 },
  ]);
});

test('failed and waiting jobs, history, contracts and PDFs stay forever', async () => {
  const { app, waiting } = await finishedApp();
  app.ctx.db.raw.prepare("UPDATE jobs SET state = 'failed' WHERE kind = 'send-mail'").run();
  app.ctx.db.raw
    .prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE kind = 'create-payment-session'")
    .run();
  const kept = app.jobs().filter(({ kind }) => kind !== 'complete-signature');
  const history = app.history(waiting.request.id);
  app.clock.advance(3_650 * DAY);
  await pruneNow(app);
  expect(app.jobs()).toEqual(kept);
  expect(app.history(waiting.request.id)).toEqual(history);
  expect(readdirSync(join(app.dataDir, 'contracts'))).toContain(`${waiting.contract.id}.pdf`);
});

test('an answered webhook loses its body after 90 days, and its repeat is still known; an open one keeps it', async () => {
  const { app, waiting } = await finishedApp();
  const open = await app.waitingRequest();
  app.sandbox.faults.add('signature.download:401');
  expect(await deliver(app, open.signId)).toBe(202);
  await app.ctx.jobs.idle();
  app.clock.advance(90 * DAY + 1);
  expect(await pruneNow(app)).toMatchObject({ inboxBodies: 1 });
  expect(rows(app, 'SELECT state, body IS NULL AS isEmpty FROM inbox ORDER BY id')).toEqual([
    { state: 'done', isEmpty: 1 },
    { state: 'received', isEmpty: 0 },
  ]);
  expect(await deliver(app, waiting.signId)).toBe(422);
});

test('tokens, keys and calls go with their own end, deliveries after 30 days', async () => {
  const app = await startApp();
  const { id } = await app.addUser();
  const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();
  const { raw } = app.ctx.db;
  for (const [i, time] of [at(-1), at(1)].entries()) {
    raw
      .prepare(
        'INSERT INTO refreshTokens (userId, family, tokenHash, createdAt, expiresAt) VALUES (?, ?, ?, ?, ?)',
      )
      .run(id, 'f', `hash ${i}`, time, time);
    raw
      .prepare('INSERT INTO idempotencyKeys VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, 'POST', `key ${i}`, 'x', '{}', time);
  }
  for (const ago of [HOUR + 1, HOUR - 1])
    raw.prepare('INSERT INTO userCalls VALUES (?, ?, ?, 1)').run(id, at(-ago), at(-ago));
  raw
    .prepare(
      "INSERT INTO webhooks (ownerId, url, event, secret, createdAt, updatedAt) VALUES (?, 'https://x', 'request.created', 's', ?, ?)",
    )
    .run(id, at(0), at(0));
  for (const [i, state] of ['delivered', 'failed', 'delivered'].entries())
    raw
      .prepare(
        "INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt) VALUES (1, ?, 'x', '{}', ?, ?, ?)",
      )
      .run(`m${i}`, state, at(0), at(i === 2 ? 0 : -30 * DAY - 1));

  const expected = { ...NOTHING, refreshTokens: 1, idempotencyKeys: 1, userCalls: 1, deliveries: 2 };
  expect(await pruneNow(app, { dryRun: true })).toEqual(expected);
  expect(await pruneNow(app)).toEqual(expected);
  expect(rows(app, 'SELECT messageId FROM deliveries')).toEqual([{ messageId: 'm2' }]);
  expect(rows(app, 'SELECT tokenHash FROM refreshTokens')).toEqual([{ tokenHash: 'hash 1' }]);
  expect(await pruneNow(app)).toEqual(NOTHING);
});

test('of old runs the last of each name stays, for it shows what is overdue; the housekeeping itself is one', async () => {
  const app = await startApp();
  const now = app.clock.now().toISOString();
  await app.ctx.writer.write((db) => {
    for (const name of ['expire', 'reconcile', 'expire', 'expire'] as const)
      insertRun(db, { name, startedAt: now, finishedAt: now, result: '{}' });
  });
  app.clock.advance(91 * DAY);
  expect(await pruneNow(app)).toEqual({ ...NOTHING, runs: 2 });
  expect(rows(app, 'SELECT name FROM runs ORDER BY id')).toEqual([
    { name: 'reconcile' },
    { name: 'expire' },
    { name: 'housekeeping' },
  ]);
  expect(JSON.parse(findLastRun(app.ctx.db, { name: 'housekeeping' })?.result ?? '')).toMatchObject({
    runs: 2,
  });
});

test('what a person has removed by hand, and why, stands in the history', async () => {
  const app = await startApp();
  await prune(app.ctx, { actor: TESTER, reason: 'disk is small' });
  const { folded: _, ...counts } = NOTHING;
  expect(told(app.ctx, 'data.pruned')).toEqual([{ ...counts, reason: 'disk is small' }]);
});

test('completed jobs stay for 30 days and go then; a dry run counts and changes nothing, not even the list of runs', async () => {
  const { app } = await finishedApp();
  const before = app.jobs();
  app.clock.advance(30 * DAY);
  expect(await pruneNow(app, { dryRun: true })).toEqual(NOTHING);
  app.clock.advance(1);
  expect(await pruneNow(app, { dryRun: true })).toEqual({ ...NOTHING, jobs: before.length });
  app.clock.advance(365 * DAY);
  expect(await pruneNow(app, { dryRun: true })).toMatchObject({ jobs: before.length, inboxBodies: 1 });
  expect(app.jobs()).toEqual(before);
  expect(findLastRun(app.ctx.db, { name: 'housekeeping' })).toBeUndefined();
  await pruneNow(app);
  expect(app.jobs()).toEqual([]);
});

test('many go in portions, between which others write; a stop ends it after the portion under way', async () => {
  const app = await startApp();
  app.ctx.db.raw.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
     INSERT INTO jobs (kind, payload, state, runAt, createdAt, finishedAt)
     SELECT 'send-mail', '{}', 'completed', '2020', '2020', '2020' FROM n`,
  );
  const stopping = new AbortController();
  const left: number[] = [];
  const pruning = pruneNow(app, { signal: stopping.signal });
  const count = () => app.jobs().length;
  while (left.length < 3 || left.at(-1) === 2600) left.push(await app.ctx.writer.write(count));
  stopping.abort(new Error('stop'));
  expect((await rejection(pruning)).message).toBe('stop');
  expect(left.at(-1)).toBeLessThan(2600);
  expect(count()).toBeGreaterThan(0);
  expect(await pruneNow(app)).toMatchObject({ jobs: expect.any(Number) });
  expect(count()).toBe(0);
});

test('the log is folded in, unless a reader is in the way all along, and the planner has its figures', async () => {
  const { app } = await finishedApp();
  const reader = new Database(paths.database(app.dataDir), { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM jobs');
  app.ctx.db.raw.exec('UPDATE users SET phone = phone');
  expect(await pruneNow(app)).toEqual({ ...NOTHING, folded: false });

  reader.close();
  expect(await pruneNow(app)).toEqual(NOTHING);
  expect(app.ctx.db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('a signature that came too late is reported once, also when the job of that mail is long gone', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:00Z' });
  app.clock.set('2026-04-02T20:00:00.000Z');
  await checkSignature(app.ctx, request.id, { actor: TESTER });
  await app.drain();
  const told = () => app.history(request.id).filter((what) => what === 'contract.signed_late').length;
  expect(told()).toBe(1);
  app.clock.advance(31 * DAY);
  expect(await pruneNow(app)).toMatchObject({ jobs: 1 });
  await checkSignature(app.ctx, request.id, { actor: TESTER });
  expect(told()).toBe(1);
  expect(app.jobs()).toEqual([]);
});

test('half written PDFs and archives of dead processes go, those of living ones stay', async () => {
  const app = await startApp();
  const [contracts, exports] = [join(app.dataDir, 'contracts'), paths.exports(app.dataDir)];
  writeFileSync(join(contracts, `8.pdf.${DEAD}.1.tmp`), 'half');
  writeFileSync(join(contracts, `9.draft.pdf.${LIVING}.2.tmp`), 'half');
  mkdirSync(exports);
  const add = (name: string, at: Date) => {
    writeFileSync(join(exports, name), 'x');
    utimesSync(join(exports, name), at, at);
  };
  add('left.zip', new Date(app.clock.now().getTime() - 2 * HOUR));
  add('new.zip', app.clock.now());
  expect(await pruneNow(app, { dryRun: true })).toEqual({ ...NOTHING, files: 2 });
  expect(await pruneNow(app)).toEqual({ ...NOTHING, files: 2 });
  expect([readdirSync(contracts), readdirSync(exports)]).toEqual([
    [`9.draft.pdf.${LIVING}.2.tmp`],
    ['new.zip'],
  ]);
});
