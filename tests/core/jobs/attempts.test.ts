/** One attempt: its effect and its end are stored together, and who waits for it hears of it. */
import { describe, expect, test, vi } from 'vitest';
import { Outcomes } from '../../../src/core/jobs/attempts.js';
import type { JobResult } from '../../../src/core/jobs/kind.js';
import { NOT_MEASURED, type Metrics } from '../../../src/core/status/metrics.js';
import { HOUR } from '../../support/clock.js';
import {
  aQueue,
  FAIL,
  fillDisk,
  held,
  timersStandStill,
  until,
  type TestQueue,
} from '../../support/queue.js';

const NOW = '2026-03-02T09:14:07.250Z';

/** A handler's change. */
const settles = (then: () => string | void = () => {}): JobResult => ({
  settle: ({ db }) => {
    db.raw.prepare("INSERT INTO counters VALUES ('settled', 1)").run();
    return then();
  },
});
const counters = ({ db }: TestQueue) => db.raw.prepare('SELECT value FROM counters').pluck().all();

test('the handler’s changes and the completion of its job are one transaction', async () => {
  const queue = aQueue(() => settles(() => 'a word'));
  const id = await queue.add();
  expect(await queue.runner.runNow(id)).toMatchObject({ state: 'completed', outcome: 'a word' });
  expect(counters(queue)).toEqual([1]);
  expect(await queue.runner.runNow(id)).toBeUndefined();
  expect(await queue.runner.runNow(4711)).toBeUndefined();
});

test('changes that cannot be made undo the completion too, and the job is tried again', async () => {
  const queue = aQueue(() =>
    settles(() => {
      throw new Error('no');
    }),
  );
  const id = await queue.add();
  await queue.runner.drain();
  expect(queue.job(id)).toMatchObject({ state: 'available', lastError: 'no' });
  expect(counters(queue)).toEqual([]);
});

test.each(['succeeds', 'fails'])('a try that %s after its lease was lost is not stored', async (end) => {
  const queue = aQueue((job) => {
    queue.db.raw.prepare("UPDATE jobs SET leaseToken = 'another' WHERE id = ?").run(job.id);
    if (end === 'fails') throw new Error('too late');
    return settles();
  });
  const id = await queue.add();
  expect(await queue.runner.runNow(id)).toMatchObject({ state: 'lost' });
  expect(queue.job(id)).toMatchObject({ state: 'running', leaseToken: 'another', lastError: null });
  expect([counters(queue), queue.log]).toEqual([[], []]);
});

test('a try stands in the log by its end', async () => {
  const queue = aQueue(({ attempt }) => (attempt === 3 ? {} : Promise.reject(new Error('no'))));
  const kind = 'create-payment-session';
  const id = await queue.add(kind);
  for (let i = 0; i < 3; i += 1) {
    await queue.runner.drain();
    queue.clock.advance(4_000);
  }
  const last = await queue.add(kind);
  queue.db.raw.prepare('UPDATE jobs SET attempt = 3 WHERE id = ?').run(last);
  await queue.runner.drain();
  expect(queue.log).toMatchObject([
    { jobId: id, kind, attempt: 1, error: 'no', msg: 'job failed, will be tried again' },
    { jobId: id, kind, attempt: 2, error: 'no', msg: 'job failed, will be tried again' },
    { jobId: id, kind, msg: 'job done' },
    { jobId: last, kind, attempt: 4, error: 'no', msg: 'job failed for good' },
  ]);
});

test.each([
  ['fails', FAIL, 'it went wrong'],
  ['succeeds', () => ({}), 'disk full'],
])(
  'a try that %s while nothing can be stored is stored as failed when it can',
  async (_, handle, message) => {
    const queue = aQueue(handle);
    const id = await queue.add();
    const free = fillDisk(queue);
    expect(await queue.runner.runNow(id)).toMatchObject({ state: 'available', error: { message } });
    expect(queue.log).toMatchObject([
      {
        msg: 'a failed try could not be stored',
        jobId: id,
        kind: 'send-mail',
        err: { message: 'disk full' },
      },
    ]);
    expect(queue.job(id).state).toBe('running');

    free();
    expect(await queue.runner.recover()).toBe(1);
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1, lastError: message });
    // Claimed again, it is somebody's work.
    await queue.writer.write((db) => queue.runner.claimHere(db, { id, kind: 'send-mail' }));
    expect(await queue.runner.recover()).toBe(0);
  },
);

test('a try that could not be stored is forgotten once another runner has released its job and this one runs it again', async () => {
  const { handle } = held();
  const queue = aQueue((job, signal) => (job.attempt === 1 ? FAIL(job, signal) : handle(job, signal)));
  const id = await queue.add();
  const free = fillDisk(queue);
  await queue.runner.runNow(id);
  free();
  queue.clock.advance(HOUR);
  expect(await queue.other().recover()).toBe(1);
  void queue.runner.runNow(id);
  await until(() => queue.job(id).state === 'running');
  // Nobody’s to release, however late it is.
  queue.clock.advance(HOUR);
  expect(await queue.runner.recover()).toBe(0);
  expect(queue.job(id)).toMatchObject({ state: 'running', attempt: 2 });
});

test('a try is counted by its kind, its end and how long it took', async () => {
  const tried: Parameters<Metrics['jobTried']>[0][] = [];
  const metrics = { ...NOT_MEASURED, jobTried: (trial: (typeof tried)[0]) => void tried.push(trial) };
  const handle = ({ kind }: { kind: string }) =>
    kind === 'send-mail' ? {} : Promise.reject(new Error('no'));
  const queue = aQueue(handle, { metrics });
  await queue.runner.runNow(await queue.add());
  await queue.runner.runNow(await queue.add('create-payment-session'));
  const seconds = expect.any(Number) as number;
  expect(tried).toEqual([
    { kind: 'send-mail', outcome: 'completed', seconds },
    { kind: 'create-payment-session', outcome: 'available', seconds },
  ]);
  expect(Math.max(...tried.map((trial) => trial.seconds * 1_000))).toBeLessThan(performance.now());
});

test('a payload that is no JSON ends in the failed list, too', async () => {
  const queue = aQueue();
  const id = await queue.add('deliver-webhook');
  queue.db.raw.prepare("UPDATE jobs SET payload = '{', attempt = 6 WHERE id = ?").run(id);
  await queue.runner.drain();
  expect(queue.job(id)).toMatchObject({ state: 'failed', runAt: NOW, finishedAt: NOW });
});

describe('who waits for an attempt’s end', () => {
  const DONE = { state: 'completed' as const };

  test('hears of the job’s next one only, and one of them takes it', async () => {
    const outcomes = new Outcomes();
    const [one, two, other] = [outcomes.next(1, HOUR), outcomes.next(1, HOUR), outcomes.next(2, HOUR)];
    const listeners = outcomes.listeners(1);
    const late = outcomes.next(1, HOUR);
    outcomes.tell(listeners, DONE);
    const heard = [await one, await two];
    expect(heard).toMatchObject([DONE, DONE]);
    expect([...heard, heard[0]].map((each) => each?.take())).toEqual([true, false, false]);
    outcomes.tell(outcomes.listeners(1), { state: 'failed' });
    expect(await late).toMatchObject({ state: 'failed' });
    expect([outcomes.listeners(1), outcomes.listeners(2).length]).toEqual([[], 1]);
    outcomes.tell(outcomes.listeners(2), DONE);
    await other;
  });

  test('hears nothing when none ends in time, and leaves no timer behind', async () => {
    timersStandStill();
    const outcomes = new Outcomes();
    const [one, two] = [outcomes.next(1, 100), outcomes.next(1, 200)];
    vi.advanceTimersByTime(100);
    expect(await one).toBeUndefined();
    expect(outcomes.listeners(1)).toHaveLength(1);
    outcomes.tell(outcomes.listeners(1), DONE);
    expect(await two).toMatchObject(DONE);
    expect(vi.getTimerCount()).toBe(0);
  });
});
