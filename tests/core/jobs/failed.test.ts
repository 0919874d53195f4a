/** The failed list: what it shows, and how a job leaves it. */
import { expect, test } from 'vitest';
import {
  countFailed,
  failedIds,
  failedStats,
  findFailedJob,
  getFailedJob,
  groupOf,
  listFailed,
  listFailedGroups,
  removeFailed,
  replayFailed,
  whyNotReplayable,
} from '../../../src/core/jobs/failed.js';
import { enqueue } from '../../../src/core/jobs/queue.js';
import { FAILED } from '../../../src/core/resources/jobs.js';
import { placeOf } from '../../../src/core/resources/show.js';
import { ANY_TIME, type Place } from '../../../src/core/calls/listing.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { timersStandStill, told, turnsPass } from '../../support/queue.js';

const NOW = '2026-03-02T09:14:07.250Z';
const MAIL = { kind: 'send-mail', error: 'the mail server answered 550' } as const;
const SIGNATURE = { kind: 'complete-signature', error: 'Signature provider answered 500' } as const;

/** Two mails and a completion have failed, an hour apart. */
async function failedApp(): Promise<{ app: TestApp; ids: [number, number, number] }> {
  const app = await startApp();
  const insert = app.ctx.db.raw.prepare(
    `INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, createdAt, finishedAt)
     VALUES (@kind, '{}', 'failed', 7, @at, @error, @at, @at) RETURNING id`,
  );
  const ids = [MAIL, MAIL, SIGNATURE].map((job, i) =>
    insert.pluck().get({ ...job, at: `2026-03-02T1${i}:00:00.000Z` }),
  );
  return { app, ids: ids as [number, number, number] };
}

const since = (from: string | null, until: string | null = null) => ({ failedAt: { from, until } });

test.each([
  [{}, [2, 1, 0]],
  [{ kind: ['complete-signature'] }, [2]],
  [{ kind: ['send-mail', 'complete-signature'] }, [2, 1, 0]],
  [{ error: 'SIGNATURE provider' }, [2]],
  [{ error: '550' }, [1, 0]],
  [{ error: '%' }, []],
  [since('2026-03-02T11:00:00.000Z'), [2, 1]],
  [since(null, '2026-03-02T11:00:00.000Z'), [0]],
  [since('2026-03-02T10:30:00.000Z', '2026-03-02T11:30:00.000Z'), [1]],
  [{ kind: ['send-mail'], ...since('2026-03-02T12:00:00.000Z') }, []],
])('the list of those with %o has the newest first, and the whole number', async (filter, expected) => {
  const { app, ids } = await failedApp();
  const found = expected.map((i) => ids[i]);
  const { total, rows } = listFailed(app.ctx, filter, { limit: 2 });
  expect([total, rows.map(({ job }) => job.id)]).toEqual([found.length, found.slice(0, 2)]);
  expect(failedIds(app.ctx, filter)).toEqual(found.toReversed());
});

test('the list can be read to its end, in both directions', async () => {
  const { app, ids } = await failedApp();
  const { walk } = await FAILED.load();
  const all = (direction: 'asc' | 'desc') => {
    const filter = { kind: null, error: null, failedAt: ANY_TIME };
    const order = { by: 'failedAt' as const, direction };
    const found: number[] = [];
    for (let past: Place | undefined; ;) {
      const [row] = walk(app.ctx, { filter, order, ownerId: null, past, limit: 1 });
      if (!row) return found;
      found.push(row.job.id);
      past = placeOf(FAILED, order, row);
    }
  };
  expect([all('asc'), all('desc')]).toEqual([ids, ids.toReversed()]);
});

test('kinds and errors are counted; of each group the last reason is told, and of a job which group is its own', async () => {
  const { app, ids } = await failedApp();
  expect([countFailed(app.ctx, 9), countFailed(app.ctx, 2)]).toEqual([3, 2]);
  expect(failedStats(app.ctx, {})).toEqual([
    { ...MAIL, count: 2 },
    { ...SIGNATURE, count: 1 },
  ]);
  const errors = ['timeout', 'unreachable', 'rejected'].map((reason) => ({ reason }));
  app.ctx.db.raw.prepare('UPDATE jobs SET errors = ? WHERE id = ?').run(JSON.stringify(errors), ids[1]);
  expect(listFailedGroups(app.ctx, {}, 10).map(({ jobId, reason }) => [jobId, reason])).toEqual([
    [ids[1], 'rejected'],
    [ids[2], undefined],
  ]);
  expect(groupOf(app.ctx, ids[0])).toEqual({ same: { kind: MAIL.kind, lastError: MAIL.error } });
  expect(groupOf(app.ctx, 4711)).toBeUndefined();
});

test.each([
  ['Anna', 'Muster', 'Anna Muster'],
  ['Anna', '', 'Anna'],
  ['', '', 'anna@example.org'],
])(
  'the customer is named, by the log-in name if there is no other: %s %s',
  async (firstName, lastName, name) => {
    const { app, ids } = await failedApp();
    const customer = 'anna@example.org';
    const { id, reference } = await app.addRequest(
      await app.addUser({ username: customer, firstName, lastName }),
    );
    app.ctx.db.raw.prepare('UPDATE jobs SET requestId = ? WHERE id = ?').run(id, ids[2]);
    expect(listFailed(app.ctx, {}, { limit: 1 }).rows).toMatchObject([{ reference, customer, name }]);
  },
);

test('one is shown by its id, as long as it has failed', async () => {
  const { app, ids } = await failedApp();
  expect(getFailedJob(app.ctx, ids[0])).toMatchObject({ id: ids[0], attempt: 7 });
  app.ctx.db.raw.prepare("UPDATE jobs SET state = 'completed' WHERE id = ?").run(ids[0]);
  expect(() => getFailedJob(app.ctx, ids[0])).toThrow(`There is no failed job ${ids[0]}.`);
  expect(() => getFailedJob(app.ctx, 4711)).toThrow('There is no failed job 4711.');
});

test('remove takes what is failed, once, and tells the history why', async () => {
  const { app, ids } = await failedApp();
  const work = { kind: 'deliver-webhook', payload: { deliveryId: 1 }, now: NOW };
  const { id: waiting } = await app.ctx.writer.write((db) => enqueue(db, work));
  const by = { actor: TESTER, reason: 'sent by hand' };
  const removed = await removeFailed(app.ctx, [ids[0], waiting, 4711, ids[0]], by);
  expect(removed).toEqual({ removed: [ids[0]], missing: [waiting, 4711, ids[0]] });
  expect(app.jobs()).toHaveLength(3);
  expect(told(app.ctx, 'job.removed')).toMatchObject([{ jobId: ids[0], reason: 'sent by hand' }]);
});

/** One that has nothing to do by now, one whose payload is ruined, a delivery to nobody: all failed. And one that waits. */
async function replayable() {
  const app = await startApp();
  const { request, contract } = await app.waitingRequest();
  const { raw } = app.ctx.db;
  const add = (kind: JobName, payload: object) =>
    app.ctx.writer.write((db) => enqueue(db, { kind, payload, now: NOW }).id);
  const good = await add('create-payment-session', { requestId: request.id, contractId: contract.id });
  const ruined = await add('create-payment-session', {});
  const pointless = await add('deliver-webhook', { deliveryId: 99 });
  raw
    .prepare(
      "UPDATE jobs SET state = 'failed', attempt = 4, finishedAt = ?, lastError = 'no' WHERE kind <> 'send-mail'",
    )
    .run(NOW);
  raw.prepare("UPDATE jobs SET payload = '{' WHERE id = ?").run(ruined);
  const waiting = await add('complete-signature', { contractId: 99, provedAt: null });
  return { app, good, ruined, pointless, waiting };
}

test('a replay tries each that has failed and makes sense, once, whatever became of the others', async () => {
  const { app, good, ruined, pointless, waiting } = await replayable();
  const ids = [pointless, ruined, waiting, 4711, good];
  const seen: number[] = [];
  const { results, ...counts } = await replayFailed(app.ctx, ids, {
    actor: TESTER,
    reason: 'again',
    onResult: ({ id }) => seen.push(id),
  });
  expect([counts, seen]).toEqual([{ replayed: 1, failed: 4 }, ids]);
  expect(results.map(({ id, kind, state, refusal }) => [id, kind, state, refusal?.code])).toEqual([
    [pointless, 'deliver-webhook', 'failed', 'webhook_deleted'],
    [ruined, 'create-payment-session', 'failed', undefined],
    [waiting, 'complete-signature', 'failed', 'job_not_failed'],
    [4711, null, 'failed', 'job_not_found'],
    [good, 'create-payment-session', 'completed', undefined],
  ]);
  expect(results.map((each) => each.error)).toEqual([
    expect.anything(),
    expect.stringContaining('in JSON at position 1'),
    `Job ${waiting} has not failed.`,
    'There is no failed job 4711.',
    null,
  ]);
  const row = (id: number) => app.jobs().find((job) => job.id === id) as ReturnType<typeof app.jobs>[number];
  expect([good, ruined, pointless, waiting].map((id) => [row(id).state, row(id).replays])).toEqual([
    ['completed', 1],
    ['failed', 1],
    ['failed', 0],
    ['available', 0],
  ]);
  expect(told(app.ctx, 'job.replayed')).toEqual(
    [ruined, good].map((jobId) => ({ jobId, kind: 'create-payment-session', reason: 'again' })),
  );
  expect([findFailedJob(app.ctx, good), findFailedJob(app.ctx, ruined)?.id]).toEqual([undefined, ruined]);
  expect([ruined, pointless].map((id) => whyNotReplayable(app.ctx, row(id))?.code)).toEqual([
    undefined,
    'webhook_deleted',
  ]);
});

test('a replay wakes the runner of this program', async () => {
  const { app, good } = await replayable();
  timersStandStill();
  await app.ctx.jobs.start();
  await turnsPass();
  expect(await replayFailed(app.ctx, [good], { actor: TESTER })).toMatchObject({ replayed: 1 });
});
