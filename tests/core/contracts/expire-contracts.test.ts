/** The daily expiry (rules 2): living contracts whose date is earlier than now, and nothing else. */
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { listOpenCases } from '../../../src/db/cases/cases.js';
import { findLastRun } from '../../../src/db/installation/runs.js';
import { openDb } from '../../../src/db/open.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { story } from '../../support/story.js';

const expire = (app: TestApp, dryRun = false) => expireContracts(app.ctx, { actor: TESTER, dryRun });
const statuses = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT status FROM contracts ORDER BY id').pluck().all();
const writes = (app: TestApp) => app.ctx.db.raw.prepare('SELECT total_changes() AS n').get();

const OVER = ['PENDING', '2026-02-01T00:00:00.000Z'] as const;

/** Contracts with these dates, each of a request of its own, whose ids count from 1. */
async function withContracts(rows: (readonly [status: string, expiredAt: string | null])[]) {
  const app = await startApp();
  const request = await app.addRequest();
  const { raw } = app.ctx.db;
  const addRequest = raw.prepare(
    `INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
     SELECT ownerId, equipmentId, title, description, 'WAITING_SIGNATURE', createdAt, updatedAt, statusSince FROM requests WHERE id = ?`,
  );
  const addContract = raw.prepare(
    `INSERT INTO contracts (key, externalId, requestId, status, amount, currency, createdAt, expiredAt, signedAt, pdfSha256)
     VALUES (hex(randomblob(8)), hex(randomblob(8)), ?, ?, 1, 'eur', '2026-01-01T00:00:00.000Z', ?, ?, ?)`,
  );
  raw.transaction(() => {
    for (const [status, expiredAt] of rows) {
      const { lastInsertRowid } = addRequest.run(request.id);
      const signed = status === 'SIGNED' ? '2026-01-02T00:00:00.000Z' : null;
      addContract.run(lastInsertRowid, status, expiredAt, signed, signed && 'f00');
    }
  })();
  return app;
}

test('what is living and over becomes EXPIRED, told as it was, the earliest first; a dry run writes nothing, and what is stopped is no run', async () => {
  const rows = [
    ['PENDING', '2026-03-02T09:14:07.249Z', 'EXPIRED'],
    ['PENDING', '2026-03-02T09:14:07.250Z', 'PENDING'],
    ['PENDING', '2026-03-02T09:14:07.251Z', 'PENDING'],
    ['SIGNED', '2026-03-02T09:14:07.248Z', 'EXPIRED'],
    ['SIGNED', '2027-03-02T09:14:07.250Z', 'SIGNED'],
    ['SIGNED', null, 'SIGNED'],
    ['EXPIRED', '2020-01-01T00:00:00.000Z', 'EXPIRED'],
  ] as const;
  const app = await withContracts(rows.map(([status, expiredAt]) => [status, expiredAt]));
  await expireContracts(app.ctx, { actor: TESTER, signal: AbortSignal.abort() });
  expect([
    statuses(app),
    findLastRun(app.ctx.db, { name: 'expire' }),
    listOpenCases(app.ctx.db, { limit: 9 }),
  ]).toEqual([rows.map(([status]) => status), undefined, []]);
  const before = writes(app);
  const foreseen = await expire(app, true);
  expect(writes(app)).toEqual(before);
  expect(foreseen.contracts).toMatchObject([
    { id: 4, status: 'SIGNED', expiredAt: '2026-03-02T09:14:07.248Z' },
    { id: 1, status: 'PENDING' },
  ]);

  expect(await expire(app)).toEqual(foreseen);

  expect(statuses(app)).toEqual(rows.map(([, , after]) => after));
  expect(await expire(app)).toEqual({ expired: 0, contracts: [] });
  // Also when there was nothing to do.
  expect(findLastRun(app.ctx.db, { name: 'expire' })).toMatchObject({
    startedAt: '2026-03-02T09:14:07.250Z',
    result: '{"expired":0}',
  });
});

test('the request stays as it is but for being due, no mail goes out, and the history names date, status and person', async () => {
  const { app, id } = await story().sent().end();
  const request = app.request(id);
  app.clock.advance(31 * DAY);
  await expire(app);
  expect(app.request(id)).toEqual({ ...request, dueAt: request.statusSince });
  expect(app.jobs()).toEqual([]);
  const last = app.ctx.db.raw.prepare('SELECT * FROM history WHERE requestId = ? ORDER BY id DESC').get(id);
  expect(last).toMatchObject({
    what: 'contract.ended',
    actor: 'user:tester@example.org',
    at: '2026-04-02T09:14:07.250Z',
    detail: '{"reason":"date_passed","from":"PENDING"}',
  });
});

test('the history tells of a run that a person has ordered, not of one by schedule', async () => {
  const app = await withContracts([OVER]);
  const told = () =>
    app.ctx.db.raw.prepare("SELECT detail FROM history WHERE what = 'contracts.expired'").all();
  await expireContracts(app.ctx, { actor: SCHEDULE });
  expect(told()).toEqual([]);
  await expireContracts(app.ctx, { actor: TESTER, reason: 'moved' });
  expect(told()).toEqual([{ detail: '{"expired":0,"reason":"moved"}' }]);
});

test('a signed contract ends with its term, not with its last day to sign', async () => {
  const { app, id } = await story().completed().end();
  app.clock.advance(364 * DAY);
  expect((await expire(app)).expired).toBe(0);
  app.clock.advance(2 * DAY);
  expect(await expire(app)).toMatchObject({ expired: 1, contracts: [{ status: 'SIGNED' }] });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
});

test('two runs at once expire each contract once', async () => {
  const app = await withContracts(
    Array.from({ length: 40 }, (_, i) => ['PENDING', `2026-01-${10 + (i % 9)}`] as const),
  );
  const results = await Promise.all([expire(app), expire(app)]);
  expect(results.reduce((sum, { expired }) => sum + expired, 0)).toBe(40);
  const ended = app.ctx.db.raw.prepare("SELECT count(*) FROM history WHERE what = 'contract.ended'");
  expect(ended.pluck().get()).toBe(40);
});

test('a signature that comes in between wins over the expiry', async () => {
  const app = await withContracts([OVER]);
  const running = expire(app);
  const signing = app.ctx.writer.write((db) =>
    db.raw
      .prepare(
        "UPDATE contracts SET status = 'SIGNED', signedAt = 'x', pdfSha256 = 'x', expiredAt = '2027' WHERE status = 'PENDING'",
      )
      .run(),
  );
  const [{ expired }, { changes }] = await Promise.all([running, signing]);
  expect(expired + changes).toBe(1);
  expect(statuses(app)).toEqual([changes === 1 ? 'SIGNED' : 'EXPIRED']);
});

test('thousands are expired in steps between which others write', async () => {
  const app = await withContracts(Array.from({ length: 3_000 }, () => OVER));
  const other = openDb(`${app.dataDir}/esign.db`, { busyTimeoutMs: 2_000 });
  const expired = other.raw.prepare("SELECT count(*) FROM contracts WHERE status = 'EXPIRED'").pluck();
  /** How many were expired each time that another wrote. */
  const seen = new Set<unknown>();
  let isOver = false;
  const running = expire(app).finally(() => (isOver = true));
  for (let i = 0; !isOver; i += 1) {
    other.raw.prepare('INSERT INTO counters VALUES (?, 1)').run(`n${i}`);
    seen.add(expired.get());
    await new Promise((resolve) => setImmediate(resolve));
  }
  other.close();
  expect((await running).expired).toBe(3_000);
  expect(seen.size).toBeGreaterThanOrEqual(3_000 / 150);
});
