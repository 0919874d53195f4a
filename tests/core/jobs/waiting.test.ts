/** What waits and runs: how it is listed and counted, and why another job is refused. */
import { expect, test } from 'vitest';
import { enqueue } from '../../../src/core/jobs/queue.js';
import { earliest, firstDueAt } from '../../../src/core/jobs/due.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import type { Direction } from '../../../src/core/calls/listing.js';
import type { JobReads } from '../../../src/core/resources/jobs.js';
import { page } from '../../../src/core/jobs/list-open.js';
import { countWaiting, getWaitingJob } from '../../../src/core/jobs/waiting.js';
import { startApp } from '../../support/app.js';

async function someJobs() {
  const app = await startApp();
  const { raw } = app.ctx.db;
  const add = (kind: JobName, at: string) =>
    app.ctx.writer.write((db) => enqueue(db, { kind, payload: {}, now: `2026-03-02T${at}:00.000Z` }).id);
  const ids = {
    late: await add('send-mail', '12:00'),
    first: await add('create-payment-session', '10:00'),
    early: await add('send-mail', '11:00'),
    same: await add('complete-signature', '11:00'),
    running: await add('deliver-webhook', '23:00'),
    failed: await add('send-mail', '09:00'),
    soonest: await add('deliver-webhook', '09:30'),
    last: await add('correct-signer', '11:00'),
  };
  raw
    .prepare(
      "UPDATE jobs SET state = 'running', leaseToken = 'x', leaseHolder = '1', leaseUntil = 'z' WHERE id = ?",
    )
    .run(ids.running);
  raw.prepare("UPDATE jobs SET state = 'failed', finishedAt = runAt WHERE id = ?").run(ids.failed);
  return { ctx: app.ctx, ...ids };
}

test('jobs are listed by when they are due, then by id, of all kinds and states or of some; all are counted', async () => {
  const { ctx, late, first, early, same, running, soonest, last } = await someJobs();
  type Filter = Parameters<JobReads['page']>[1]['filter'];
  const list = (limit: number, some: Partial<Filter> = {}, direction: Direction = 'asc') => {
    const filter = { kind: null, state: null, ...some };
    const order = { by: 'runAt' as const, direction };
    const { total, rows } = page(ctx, { filter, order, ownerId: null, limit, offset: 0 });
    return [total, ...rows.map(({ id }) => id)];
  };
  const all = [soonest, first, early, same, last, late, running];
  expect(list(10)).toEqual([7, ...all]);
  expect(list(10, {}, 'desc')).toEqual([7, ...all.toReversed()]);
  expect(list(4)).toEqual([7, soonest, first, early, same]);
  expect(list(1, { kind: ['send-mail'] })).toEqual([2, early]);
  expect(list(10, { state: ['running'] })).toEqual([1, running]);
  const waiting = { state: ['available' as const], kind: ['send-mail' as const, 'deliver-webhook' as const] };
  expect(list(10, waiting)).toEqual([3, soonest, early, late]);
  expect(Object.fromEntries(countWaiting(ctx).map(({ kind, count }) => [kind, count]))).toEqual({
    'create-payment-session': 1,
    'complete-signature': 1,
    'send-mail': 2,
    'deliver-webhook': 1,
    'correct-signer': 1,
  });
  expect(countWaiting(ctx)).toHaveLength(5);
});

test('a job that does not wait is refused by its state; a failed one with the command for it', async () => {
  const { ctx, first, running, failed } = await someJobs();
  const get = (id: number) => () => getWaitingJob(ctx, id);
  expect(get(first)()).toMatchObject({ id: first, state: 'available' });
  expect(get(running)).toThrow(`Job ${running} is not waiting: it is running.`);
  expect(get(running)).toThrow(expect.objectContaining({ code: 'job_not_waiting', hint: undefined }));
  expect(get(failed)).toThrow(expect.objectContaining({ code: 'job_not_waiting', hint: expect.anything() }));
  expect(get(4711)).toThrow('There is no job 4711.');
});

test('when the first is due: of all kinds, or of none', async () => {
  const { ctx } = await someJobs();
  expect(firstDueAt(ctx.db)).toBe('2026-03-02T09:30:00.000Z');
  expect(earliest([null, undefined])).toBeUndefined();
  expect(earliest(['b', null, 'a', undefined])).toBe('a');
});
