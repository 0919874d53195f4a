/** The parts of the job queue, each alone: what waits, who hears of an end, what a full disk leaves, the office's mails. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findJob } from '../../../src/db/jobs/jobs.js';
import { change } from '../../../src/core/change.js';
import { dropJob, enqueue } from '../../../src/core/jobs/queue.js';
import { earliest, firstDueAt } from '../../../src/core/jobs/due.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { Outcomes } from '../../../src/core/jobs/attempts.js';
import { countFailed, findFailedJob, replayFailed, whyNotReplayable } from '../../../src/core/jobs/failed.js';
import { kindOf } from '../../../src/core/jobs/kinds.js';
import { RetryableError } from '../../../src/core/jobs/release.js';
import { openDb } from '../../../src/db/open.js';
import type { JobRow } from '../../../src/db/schema.js';
import { pastError } from '../../../src/core/jobs/past-errors.js';
import { pushJobs, pushKind, waitingIds } from '../../../src/core/jobs/push.js';
import type { Direction } from '../../../src/core/calls/listing.js';
import type { JobReads } from '../../../src/core/resources/jobs.js';
import { page } from '../../../src/core/jobs/list-open.js';
import { countWaiting, getWaitingJob } from '../../../src/core/jobs/waiting.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { MailError } from '../../../src/core/mail/mail-error.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { claimJobs } from '../../../src/db/jobs/claims.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { deleteHold, putHold } from '../../../src/db/installation/installation.js';
import { NOT_MEASURED, type Metrics } from '../../../src/core/status/metrics.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR, MINUTE, SECOND } from '../../support/clock.js';
import { DEAD, LIVING, named, OURS } from '../../support/holders.js';
import { aQueue, until, type Handle, type TestQueue } from '../../support/queue.js';
import { happened, subscribed } from '../../support/subscriptions.js';

const NOW = '2026-03-02T09:14:07.250Z';
const FAIL: Handle = () => {
  throw new Error('it went wrong');
};

/** Timers go by `vi.advanceTimersByTime` alone. */
function timersStandStill(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets a started runner do what it has to. */
async function turnsPass(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
}

/** And fall asleep. */
async function asleep(): Promise<void> {
  await turnsPass();
  vi.advanceTimersByTime(1);
}

const FULL = "RAISE(ABORT, 'disk full')";

/** Handlers that end when the test says so. */
function held() {
  const releases: (() => void)[] = [];
  const handle: Handle = () => new Promise((resolve) => releases.push(() => resolve({})));
  onTestFinished(() => releases.forEach((release) => release()));
  return { handle, releases };
}

type JobFilter = Parameters<JobReads['page']>[1]['filter'];

describe('what waits and runs', () => {
  const add = (app: TestApp, kind: JobName, now: string) =>
    app.ctx.writer.write((db) => enqueue(db, { kind, payload: { deliveryId: 1 }, now }).id);

  async function someJobs() {
    const app = await startApp();
    const late = await add(app, 'send-mail', '2026-03-02T12:00:00.000Z');
    const first = await add(app, 'create-payment-session', '2026-03-02T10:00:00.000Z');
    const early = await add(app, 'send-mail', '2026-03-02T11:00:00.000Z');
    const same = await add(app, 'complete-signature', '2026-03-02T11:00:00.000Z');
    const running = await add(app, 'deliver-webhook', '2026-03-02T23:00:00.000Z');
    app.ctx.db.raw
      .prepare(
        "UPDATE jobs SET state = 'running', leaseToken = 'x', leaseHolder = '1', leaseUntil = 'z' WHERE id = ?",
      )
      .run(running);
    const failed = await add(app, 'send-mail', '2026-03-02T09:00:00.000Z');
    app.ctx.db.raw.prepare("UPDATE jobs SET state = 'failed', finishedAt = ? WHERE id = ?").run(NOW, failed);
    return { app, late, first, early, same, running, failed };
  }

  test('is listed by when it is due, then by id, of all kinds and states or of some; all are counted', async () => {
    const { app, late, first, early, same, running } = await someJobs();
    const soonest = await add(app, 'deliver-webhook', '2026-03-02T09:30:00.000Z');
    const last = await add(app, 'correct-signer', '2026-03-02T11:00:00.000Z');
    const list = (limit: number, some: Partial<JobFilter> = {}, direction: Direction = 'asc') => {
      const filter = { kind: null, state: null, ...some };
      const order = { by: 'runAt' as const, direction };
      const { total, rows } = page(app.ctx, { filter, order, ownerId: null, limit, offset: 0 });
      return [total, ...rows.map(({ id }) => id)];
    };
    const all = [soonest, first, early, same, last, late, running];
    expect(list(10)).toEqual([7, ...all]);
    expect(list(10, {}, 'desc')).toEqual([7, ...all.toReversed()]);
    expect(list(4)).toEqual([7, soonest, first, early, same]);
    expect(list(10, { kind: ['send-mail'] })).toEqual([2, early, late]);
    expect(list(1, { kind: ['send-mail'] })).toEqual([2, early]);
    expect(list(10, { state: ['running'] })).toEqual([1, running]);
    expect(list(10, { state: ['available'], kind: ['send-mail', 'deliver-webhook'] })).toEqual([
      3,
      soonest,
      early,
      late,
    ]);
    const waiting = Object.fromEntries(countWaiting(app.ctx).map(({ kind, count }) => [kind, count]));
    expect(waiting).toEqual({
      'create-payment-session': 1,
      'complete-signature': 1,
      'send-mail': 2,
      'deliver-webhook': 1,
      'correct-signer': 1,
    });
    expect(countWaiting(app.ctx)).toHaveLength(5);
  });

  test('a job that does not wait is refused by its state; a failed one with the command for it', async () => {
    const { app, first, running, failed } = await someJobs();
    expect(getWaitingJob(app.ctx, first)).toMatchObject({ id: first, state: 'available' });
    const get = (id: number) => () => getWaitingJob(app.ctx, id);
    expect(get(running)).toThrow(`Job ${running} is not waiting: it is running.`);
    expect(get(failed)).toThrow(
      expect.objectContaining({ code: 'job_not_waiting', hint: expect.anything() }),
    );
    expect(get(running)).toThrow(expect.objectContaining({ code: 'job_not_waiting', hint: undefined }));
    expect(get(4711)).toThrow('There is no job 4711.');
  });

  test('when the first is due: of all kinds, or of none', async () => {
    const { app } = await someJobs();
    expect(firstDueAt(app.ctx.db)).toBe('2026-03-02T10:00:00.000Z');
    expect(earliest([null, undefined])).toBeUndefined();
    expect(earliest(['b', null, 'a', undefined])).toBe('a');
  });
});

describe('a push', () => {
  /** A mail that fails as it is, and a delivery to nobody, which is done at once; both due in an hour. */
  async function waitingApp() {
    const app = await startApp();
    const runAt = '2026-03-02T10:00:00.000Z';
    const add = (kind: JobName, payload: object) =>
      app.ctx.writer.write((db) => enqueue(db, { kind, payload, now: NOW, runAt, lane: kind }).id);
    const good = await add('deliver-webhook', { deliveryId: 99 });
    const bad = await add('complete-signature', { contractId: 99, provedAt: null });
    return { app, good, bad };
  }

  const stateOf = (app: TestApp, id: number) => app.jobs().find((job) => job.id === id)?.state;
  const push = (app: TestApp, ids: number[], signal?: AbortSignal) =>
    pushJobs(app.ctx, ids, { actor: TESTER, reason: 'now', signal });

  test('runs each one now, and tells what came of it', async () => {
    const { app, good, bad } = await waitingApp();
    app.ctx.db.raw.prepare('UPDATE jobs SET attempt = 6 WHERE id = ?').run(bad);
    app.ctx.db.raw.prepare("UPDATE jobs SET lastError = 'of an earlier try' WHERE id = ?").run(good);
    const error = expect.any(String) as string;
    const results = await push(app, [4711, good, bad, good]);
    expect(results.map(({ refusal }) => refusal?.code)).toEqual([
      'job_not_found',
      undefined,
      undefined,
      'job_not_waiting',
    ]);
    expect(results).toMatchObject([
      { id: 4711, kind: null, state: null, error: 'There is no job 4711.', runAt: null },
      { id: good, kind: 'deliver-webhook', state: 'completed', error: null, runAt: null },
      { id: bad, kind: 'complete-signature', state: 'failed', error, runAt: null },
      {
        id: good,
        kind: 'deliver-webhook',
        state: null,
        error: `Job ${good} is not waiting: it is completed.`,
        runAt: null,
      },
    ]);
    const history = app.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'job.pushed'")
      .pluck()
      .all();
    expect(history.map((detail) => JSON.parse(detail as string))).toEqual([
      { jobId: good, kind: 'deliver-webhook', reason: 'now' },
      { jobId: bad, kind: 'complete-signature', reason: 'now' },
    ]);
  });

  test('passes over what does not wait any more, if asked to; of a kind it makes everything due at once', async () => {
    const { app, good, bad } = await waitingApp();
    await app.ctx.jobs.runNow(good);
    const some = { actor: TESTER, ifWaiting: true };
    expect((await pushJobs(app.ctx, [4711, good, bad], some)).map(({ id }) => id)).toEqual([bad]);
    expect(waitingIds(app.ctx)).toEqual([bad]);

    app.ctx.db.raw.prepare('UPDATE jobs SET runAt = ? WHERE id = ?').run('2026-03-02T10:00:00.000Z', bad);
    expect(await pushKind(app.ctx, 'send-mail', { actor: TESTER })).toBe(0);
    expect(await pushKind(app.ctx, 'complete-signature', { actor: TESTER })).toBe(1);
    expect(app.jobs('complete-signature')[0]).toMatchObject({ state: 'available', runAt: NOW });
  });

  test('that fails tells when it is tried again', async () => {
    const { app, bad } = await waitingApp();
    const runAt = '2026-03-02T09:14:08.250Z';
    expect(await push(app, [bad])).toMatchObject([{ id: bad, state: 'available', runAt }]);
  });

  test('waits for the runner of this program', async () => {
    const { app, good } = await waitingApp();
    timersStandStill();
    await app.ctx.jobs.start();
    await turnsPass();
    expect(await push(app, [good])).toMatchObject([{ state: 'completed' }]);
    expect(app.jobs()[0]?.attempt).toBe(1);
  });

  test('waits for the daemon, which alone runs it', async () => {
    const { app, good, bad } = await waitingApp();
    const lock = takeDaemonLock(app.dataDir);
    onTestFinished(() => lock?.release());
    for (const [id, state] of [
      [good, 'completed'],
      [bad, 'available'],
    ] as const) {
      const pushed = push(app, [id]);
      await until(() => app.jobs().find((job) => job.id === id)?.runAt === NOW);
      const daemon = await startApp({ dataDir: app.dataDir, beside: app });
      await daemon.drain();
      expect(await pushed).toMatchObject([{ id, state }]);
      expect(app.jobs().find((job) => job.id === id)?.attempt).toBe(1);
    }
  });

  test('of a kind makes each due once, however many they are, and leaves those that cannot succeed', async () => {
    const app = await startApp();
    const off = await subscribed(app, { url: 'https://off.example.org/' });
    await subscribed(app, { url: 'https://hooks.example.org/' });
    for (let id = 1; id <= 21; id += 1) await happened(app, id);
    app.ctx.db.raw.prepare('UPDATE webhooks SET active = 0 WHERE id = ?').run(off.id);
    expect(await pushKind(app.ctx, 'deliver-webhook', { actor: TESTER })).toBe(21);
    const told = "SELECT count(*) FROM history WHERE what = 'job.pushed'";
    expect(app.ctx.db.raw.prepare(told).pluck().get()).toBe(21);
  });

  test('that cannot be stored is no refusal: nothing is pushed', async () => {
    const { app, good } = await waitingApp();
    app.ctx.db.raw.exec(
      "CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    await expect(push(app, [good])).rejects.toThrow('disk full');
    expect(app.jobs()[0]?.runAt).not.toBe(NOW);
  });

  /** A push that waits for a daemon which never comes. */
  async function pushedInVain() {
    const { app, good, bad } = await waitingApp();
    const lock = takeDaemonLock(app.dataDir);
    onTestFinished(() => lock?.release());
    const pushed = push(app, [good, bad]);
    await until(() => app.jobs().every(({ runAt }) => runAt === NOW));
    return { app, good, bad, pushed };
  }

  test('gives up waiting for the daemon after a minute and a half', async () => {
    const { good, bad, pushed } = await pushedInVain();
    const late = performance.now() + 90_000;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => late);
    onTestFinished(() => now.mockRestore());
    expect(await pushed).toMatchObject([
      { id: good, state: 'available' },
      { id: bad, state: 'available' },
    ]);
  });

  test('of a job that is removed meanwhile stops no other', async () => {
    const { app, good, bad, pushed } = await pushedInVain();
    const { raw } = app.ctx.db;
    raw.prepare('DELETE FROM jobs WHERE id = ?').run(good);
    raw.prepare("UPDATE jobs SET state = 'completed', attempt = 1, finishedAt = runAt WHERE id = ?").run(bad);
    expect(await pushed).toEqual(
      expect.arrayContaining([
        {
          id: good,
          kind: 'deliver-webhook',
          state: null,
          error: `Job ${good} was removed meanwhile.`,
          runAt: null,
        },
        { id: bad, kind: 'complete-signature', state: 'completed', error: null, runAt: null },
      ]),
    );
  });

  test('gives up waiting for the daemon at a signal; the job stays due', async () => {
    const { app, good } = await waitingApp();
    const lock = takeDaemonLock(app.dataDir);
    onTestFinished(() => lock?.release());
    const stop = new AbortController();
    const pushed = push(app, [good], stop.signal);
    await until(() => app.jobs()[0]?.runAt === NOW);
    stop.abort();
    expect(await pushed).toMatchObject([{ state: 'available', runAt: NOW }]);
    expect(stateOf(app, good)).toBe('available');
  });
});

describe('a job that is enqueued to run here', () => {
  const work = (queue: TestQueue) => ({
    kind: 'create-payment-session',
    payload: { requestId: 1, contractId: 1 },
    uniqueKey: 'one',
    now: queue.clock.now().toISOString(),
  });
  const enqueueHere = (queue: TestQueue) =>
    queue.writer.write((db) => queue.runner.enqueueHere(db, work(queue)));

  test('is stored as claimed, and again when it has ended', async () => {
    const queue = aQueue();
    const { id, claimed } = await enqueueHere(queue);
    expect(queue.job(id)).toEqual(claimed);
    expect(claimed).toMatchObject({ state: 'running', attempt: 1, leaseHolder: OURS });
    expect((await enqueueHere(queue)).claimed).toBeUndefined();
    expect(await queue.runner.run(claimed as never)).toMatchObject({ state: 'completed' });
    expect(await enqueueHere(queue)).toMatchObject({ id, claimed: { id, attempt: 1 } });
  });

  test('waits when all places are taken, and when the program stops', async () => {
    const { handle } = held();
    const queue = aQueue(handle);
    const ids = await Promise.all(Array.from({ length: 8 }, () => queue.add('create-payment-session')));
    for (const id of ids) void queue.runner.runNow(id);
    await until(() => ids.every((id) => queue.job(id).state === 'running'));
    const { id, claimed } = await enqueueHere(queue);
    expect([claimed, queue.job(id).state]).toEqual([undefined, 'available']);

    const stopped = aQueue();
    await stopped.runner.stop();
    expect((await enqueueHere(stopped)).claimed).toBeUndefined();
  });

  test('takes a slot of its own among others of the same commit; what is rolled back takes none', async () => {
    const { handle } = held();
    const queue = aQueue(handle);
    const enqueue = async (n: number, isUndone: boolean) => {
      const claimed = await queue.writer.write((db) => {
        const { claimed: row } = queue.runner.enqueueHere(db, { ...work(queue), uniqueKey: `of ${n}` });
        if (isUndone) throw new Error('undone');
        return row;
      });
      if (claimed) void queue.runner.run(claimed);
    };
    const inOneCommit = (isUndone: boolean) =>
      Promise.allSettled(Array.from({ length: 12 }, (_, n) => enqueue(n, isUndone)));
    const states = () => queue.db.raw.prepare('SELECT state FROM jobs ORDER BY id').pluck().all();

    await inOneCommit(true);
    expect(states()).toEqual([]);
    await inOneCommit(false);
    expect(states()).toEqual([...Array<string>(8).fill('running'), ...Array<string>(4).fill('available')]);
  });

  test('takes no slot that a claim of the same commit has taken', async () => {
    const queue = aQueue();
    for (let n = 0; n < 8; n += 1) await queue.add('create-payment-session');
    const drained = queue.runner.drain();
    expect((await enqueueHere(queue)).claimed).toBeUndefined();
    expect(await drained).toBe(9);
  });

  test('by hand takes a slot: no other begins until there is one, even if its claim is on its way', async () => {
    const { handle, releases } = held();
    const queue = aQueue(handle, { writer: { unitsPerCommitMax: 1 } });
    const ids = [];
    for (let n = 0; n < mailJob.slots + 4; n += 1) ids.push(await queue.add());
    const begin = (id: number) => void queue.runner.runNow(id);
    ids.slice(0, mailJob.slots - 1).forEach(begin);
    await until(() => releases.length === mailJob.slots - 1);
    // Both are stored before the claim, which saw a free slot.
    ids.slice(-2).forEach(begin);
    expect(await queue.runner.drain()).toBe(0);
    expect(releases).toHaveLength(mailJob.slots + 1);
  });

  test('begins when calls stop coming in, or after a quarter of a second at the latest; after that full wait, other jobs begin at once for a second', async () => {
    const queue = aQueue();
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const turns = async () => {
      for (let n = 0; n < 10; n += 1) await new Promise<void>((next) => void setImmediate(next));
    };
    const begin = async (kind: JobName) => {
      queue.runner.calls.connected();
      const id = await queue.add(kind);
      void queue.runner.runNow(id);
      await turns();
      expect(queue.job(id).state).toBe('running');
      return id;
    };

    const first = await begin('send-mail');
    now.mockReturnValue(5);
    await until(() => queue.job(first).state === 'completed');

    const second = await begin('create-payment-session');
    for (const ms of [9, 100, 254]) {
      now.mockReturnValue(ms);
      queue.runner.calls.connected();
      await turns();
      expect(queue.job(second).state).toBe('running');
    }
    now.mockReturnValue(255);
    queue.runner.calls.connected();
    await until(() => queue.job(second).state === 'completed');

    const third = await queue.add('deliver-webhook');
    void queue.runner.runNow(third);
    await until(() => queue.job(third).state === 'completed');

    now.mockReturnValue(1_255);
    await begin('complete-signature');
  });

  test('waits while the data are held, as all others do, until they are let go', async () => {
    timersStandStill();
    const queue = aQueue();
    const waiting = await queue.add();
    await queue.writer.write((db) => putHold(db, { since: NOW, madeAt: NOW, lastJobId: 0 }));
    await queue.runner.start();
    const { id, claimed } = await enqueueHere(queue);
    await asleep();
    for (const lookMs of [0, 100]) {
      vi.advanceTimersByTime(lookMs);
      await turnsPass();
      // Those of the leases, the look and the watch: it waits for no job.
      expect(vi.getTimerCount()).toBe(4);
    }
    expect([claimed, await queue.runner.drain()]).toEqual([undefined, 0]);
    await expect(queue.runner.runNow(id)).rejects.toMatchObject({ code: 'held' });
    expect([waiting, id].map((one) => queue.job(one).attempt)).toEqual([0, 0]);
    const other = openDb(queue.file, { busyTimeoutMs: 0 });
    deleteHold(other);
    other.close();
    vi.advanceTimersByTime(100);
    await until(() => [waiting, id].every((one) => queue.job(one).state === 'completed'));
  });

  test('is not run now when it does not wait', async () => {
    const queue = aQueue();
    const id = await queue.add();
    await queue.runner.drain();
    expect(await queue.runner.runNow(id)).toBeUndefined();
    expect(await queue.runner.runNow(4711)).toBeUndefined();
  });
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
    expect(heard.map((each) => each?.take())).toEqual([true, false]);
    expect(heard[0]?.take()).toBe(false);
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

describe('an attempt', () => {
  test('stands in the log by its end; one that was lost does not', async () => {
    const queue = aQueue(({ attempt }) => (attempt === 3 ? {} : Promise.reject(new Error('no'))));
    const id = await queue.add('create-payment-session');
    for (let i = 0; i < 3; i += 1) {
      await queue.runner.drain();
      queue.clock.advance(4_000);
    }
    const last = await queue.add('create-payment-session');
    queue.db.raw.prepare('UPDATE jobs SET attempt = 3 WHERE id = ?').run(last);
    await queue.runner.drain();
    const about = (jobId: number) => ({ jobId, kind: 'create-payment-session' });
    expect(queue.log).toMatchObject([
      { ...about(id), attempt: 1, error: 'no', msg: 'job failed, will be tried again' },
      { ...about(id), attempt: 2, error: 'no', msg: 'job failed, will be tried again' },
      { ...about(id), msg: 'job done' },
      { ...about(last), attempt: 4, error: 'no', msg: 'job failed for good' },
    ]);

    const lost = aQueue((job) => {
      lost.db.raw.prepare("UPDATE jobs SET leaseToken = 'another' WHERE id = ?").run(job.id);
      return {};
    });
    await lost.runner.runNow(await lost.add());
    expect(lost.log).toEqual([]);
  });

  test.each([
    ['fails', FAIL],
    ['succeeds', () => ({})],
  ])('that %s while nothing can be stored is stored as failed when it can', async (_, handle) => {
    const queue = aQueue(handle);
    const id = await queue.add();
    queue.db.raw.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON jobs WHEN new.state <> 'running' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    const outcome = await queue.runner.runNow(id);
    const error = handle === FAIL ? 'it went wrong' : 'disk full';
    expect(outcome).toMatchObject({ state: 'available', error: { message: error } });
    expect(queue.log.map(({ msg }) => msg)).toEqual(['a failed try could not be stored']);
    expect(queue.job(id).state).toBe('running');

    queue.db.raw.exec('DROP TRIGGER full');
    expect(await queue.runner.recover()).toBe(1);
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1, lastError: error });
    expect(await queue.runner.recover()).toBe(0);
  });

  test('that could not be stored is forgotten once another runner has released its job and this one runs it again', async () => {
    const { handle } = held();
    const queue = aQueue((job, signal) => (job.attempt === 1 ? FAIL(job, signal) : handle(job, signal)));
    const id = await queue.add();
    queue.db.raw.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON jobs WHEN new.state <> 'running' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    await queue.runner.runNow(id);
    queue.db.raw.exec('DROP TRIGGER full');
    queue.clock.advance(HOUR);
    expect(await queue.other().recover()).toBe(1);
    void queue.runner.runNow(id);
    await until(() => queue.job(id).state === 'running');
    expect(await queue.runner.recover()).toBe(0);
    expect(queue.job(id)).toMatchObject({ state: 'running', attempt: 2 });
  });

  test('that runs is nobody’s to release, whoever asks', async () => {
    const { handle } = held();
    const queue = aQueue(handle);
    const id = await queue.add();
    void queue.runner.runNow(id);
    await until(() => queue.job(id).state === 'running');
    queue.clock.advance(HOUR);
    expect(await queue.runner.recover()).toBe(0);
    expect(queue.job(id).state).toBe('running');
  });

  test('is counted by its kind, its end and how long it took', async () => {
    const tried: Parameters<Metrics['jobTried']>[0][] = [];
    const metrics = { ...NOT_MEASURED, jobTried: (trial: (typeof tried)[0]) => void tried.push(trial) };
    const queue = aQueue(({ kind }) => (kind === 'send-mail' ? {} : Promise.reject(new Error('no'))), {
      metrics,
    });
    await queue.runner.runNow(await queue.add());
    await queue.runner.runNow(await queue.add('create-payment-session'));
    const seconds = expect.any(Number) as number;
    expect(tried).toEqual([
      { kind: 'send-mail', outcome: 'completed', seconds },
      { kind: 'create-payment-session', outcome: 'available', seconds },
    ]);
    for (const trial of tried) expect(trial.seconds * 1_000).toBeLessThan(performance.now());
  });

  test('whose payload is no JSON ends in the failed list, its last one too', async () => {
    const queue = aQueue(FAIL);
    const id = await queue.add('deliver-webhook');
    queue.db.raw.prepare("UPDATE jobs SET payload = '{', attempt = 6 WHERE id = ?").run(id);
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({ state: 'failed', runAt: NOW, finishedAt: NOW });
  });

  test.each<[unknown, string]>([
    [Object.assign(new Error('no'), { retryAfterMs: 'soon' }), '2026-03-02T09:14:08.250Z'],
    [{ retryAfterMs: 90_000 }, '2026-03-02T09:14:08.250Z'],
    [Object.assign(new Error('no'), { retryAfterMs: 90_000 }), '2026-03-02T09:15:37.250Z'],
  ])('%o waits until %s', async (error, runAt) => {
    const queue = aQueue(() => {
      throw error;
    });
    const id = await queue.add();
    await queue.runner.drain();
    expect(queue.job(id).runAt).toBe(runAt);
  });

  test('keeps the reason only of an outside service’s failure', () => {
    const try1 = { attempt: 1, at: NOW };
    const reason = (error: unknown) => pastError(error, try1).reason;
    expect(reason(new ProviderError('rejected', 'no'))).toBe('rejected');
    expect(reason(new MailError('rejected', 'no'))).toBe('rejected');
    expect(pastError(Object.assign(new Error('no'), { reason: 'x' }), try1)).toEqual({
      ...try1,
      error: 'no',
    });
  });
});

describe('a started runner', () => {
  test('renews the lease of what runs every 20 s', async () => {
    timersStandStill();
    const { handle, releases } = held();
    const queue = aQueue(handle);
    await queue.runner.start();
    const id = await queue.add();
    await until(() => queue.job(id).state === 'running');
    queue.clock.advance(20 * SECOND);
    vi.advanceTimersByTime(20 * SECOND);
    await until(() => queue.job(id).leaseUntil === '2026-03-02T09:15:27.250Z');
    releases.forEach((release) => release());
    await queue.runner.idle();
  });

  test('looks every 5 s for jobs whose process has lost its lease', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    const now = '2026-03-02T09:20:00.000Z';
    const [id, alive] = [await queue.add('send-mail', { now }), await queue.add('send-mail', { now })];
    const lease = { kind: 'send-mail', now, limit: 1, leaseToken: 'of another', leaseHolder: LIVING };
    for (const leaseUntil of [NOW, now]) claimJobs(queue.db, { ...lease, leaseUntil });
    await asleep();
    queue.clock.advance(1);
    vi.advanceTimersByTime(5 * SECOND);
    await until(() => queue.job(id).state !== 'running');
    expect(queue.job(id).lastError).toBe('the process that ran it ended');
    expect(queue.job(alive).state).toBe('running');
    // Its next try comes at its time.
    await asleep();
    queue.clock.advance(SECOND);
    vi.advanceTimersByTime(SECOND);
    await until(() => queue.job(id).state === 'completed');
  });

  test('looks at the clock at least every 30 s, so that one that is put forward delays nothing', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    const id = await queue.add('send-mail', { now: '2026-03-02T10:00:00.000Z' });
    await asleep();
    queue.clock.advance(HOUR);
    vi.advanceTimersByTime(30 * SECOND);
    await until(() => queue.job(id).state === 'completed');
  });

  test.each(['while it sleeps', 'while a claim is on its way'])(
    'leaves no timer behind when it stops %s',
    async (when) => {
      timersStandStill();
      const { handle, releases } = held();
      const queue = aQueue(handle);
      await queue.runner.start();
      expect(queue.runner.isRunning).toBe(true);
      for (const now of ['2026-03-02T10:00:00.000Z', '2026-03-02T09:30:00.000Z']) {
        await queue.add('send-mail', { now });
        await asleep();
      }
      await queue.add();
      if (when === 'while it sleeps') await asleep();
      const stopped = queue.runner.stop();
      await until(() => releases.length === 1);
      releases.forEach((release) => release());
      await stopped;
      expect([queue.runner.isRunning, vi.getTimerCount()]).toEqual([false, 0]);
      expect(queue.log.map(({ msg }) => msg)).toEqual(['job done']);
    },
  );

  test('begins the next job of a lane as soon as the one before it is on disk: no timer is needed', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    const ids = [await queue.add('deliver-webhook'), await queue.add('deliver-webhook')];
    await until(() => ids.every((id) => queue.job(id).state === 'completed'));
  });

  test('leaves half of the slots of deliveries to those that hang', async () => {
    const { handle, releases } = held();
    const queue = aQueue(handle);
    const half = kindOf({ kind: 'deliver-webhook' }).slots / 2;
    await queue.writer.write((db) => {
      for (let n = 0; n <= half; n += 1) {
        const lane = `https://hooks.example.org/${n}`;
        enqueue(db, { kind: 'deliver-webhook', payload: {}, now: NOW, lane });
      }
    });
    queue.db.raw.exec('UPDATE lanes SET isSlow = 1');
    await queue.runner.start();
    await until(() => releases.length > 0);
    expect(releases).toHaveLength(half);
  });

  test('whose disk is full says so of everything that it could not store, and goes on when it can', async () => {
    timersStandStill();
    const { handle, releases } = held();
    const queue = aQueue(handle);
    await queue.runner.start();
    const [ours, later] = [
      await queue.add(),
      await queue.add('send-mail', { now: '2026-03-02T10:00:00.000Z' }),
    ];
    await until(() => queue.job(ours).state === 'running');
    const theirs = await queue.add('complete-signature');
    await until(() => queue.job(theirs).state === 'running');
    queue.db.raw.exec(
      `UPDATE jobs SET leaseToken = 'of another', leaseUntil = '2026-03-01' WHERE id = ${theirs};
       CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT ${FULL}; END`,
    );
    const complaints = () => new Set(queue.log.map(({ msg }) => msg));
    vi.advanceTimersByTime(20 * SECOND);
    queue.clock.set('2026-03-01T09:14:07.250Z');
    vi.advanceTimersByTime(SECOND);
    await until(() => complaints().size === 3);
    queue.clock.set('2026-03-02T10:00:00.000Z');
    vi.advanceTimersByTime(30 * SECOND);
    await until(() => complaints().size === 4);
    queue.db.raw.exec('DROP TRIGGER full');
    vi.advanceTimersByTime(SECOND);
    await until(() => queue.job(later).state === 'running');

    queue.db.raw.exec(`CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT ${FULL}; END`);
    const stopped = queue.runner.stop(0);
    await asleep();
    await stopped;
    for (const line of queue.log) expect(line).toMatchObject({ err: { message: 'disk full' } });
    expect([...complaints()].toSorted()).toEqual([
      'jobs could not be claimed',
      'jobs that nobody is working on could not be released',
      'jobs that still run could not be given back',
      'leases could not be renewed',
      'waits could not begin anew after the clock was set back',
    ]);
    releases.forEach((release) => release());
    await queue.runner.idle();
  });

  test('that cannot read when the next job is due looks again after a second', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    const id = await queue.add('send-mail', { now: '2026-03-02T09:14:08.250Z' });
    await turnsPass();
    queue.db.raw.exec('ALTER TABLE lanes RENAME TO lost');
    vi.advanceTimersByTime(1);
    expect(queue.log).toMatchObject([{ msg: 'jobs could not be claimed' }]);
    queue.db.raw.exec('ALTER TABLE lost RENAME TO lanes');
    queue.clock.advance(SECOND);
    vi.advanceTimersByTime(SECOND);
    await until(() => queue.job(id).state === 'completed');
  });

  test('does not run before its start', async () => {
    const queue = aQueue();
    const id = await queue.add();
    expect(queue.runner.isRunning).toBe(false);
    await turnsPass();
    expect(queue.job(id).state).toBe('available');
  });
});

describe('a clock that is set back', () => {
  const BACK = '2026-03-01T09:14:07.250Z';

  test('leaves alone what began to wait within a second of it, and restarts any number of the others', async () => {
    const queue = aQueue();
    const insert = queue.db.raw.prepare(
      "INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', ?, ?)",
    );
    const at = (ms: number) => new Date(Date.parse(BACK) + ms).toISOString();
    queue.db.raw.transaction(() => {
      insert.run(at(HOUR), at(SECOND));
      insert.run(at(HOUR), at(SECOND + 1));
      for (let i = 0; i < 501; i += 1) insert.run(at(2 * HOUR + i), at(HOUR + i));
    })();
    queue.clock.set(BACK);
    await queue.runner.start();
    const dues = queue.db.raw.prepare('SELECT runAt FROM jobs ORDER BY id').pluck().all();
    expect(dues).toEqual([at(HOUR), at(HOUR - SECOND - 1), ...Array<string>(501).fill(at(HOUR))]);
    expect(queue.log).toMatchObject([{ jobs: 502, kind: 'send-mail' }]);
  });

  test('has no lease of a holder that nobody can see last for longer than one of now', async () => {
    const queue = aQueue();
    const id = await queue.add();
    const unseen = named({ namespace: 4_026_500_000 });
    queue.db.raw
      .prepare(
        "UPDATE jobs SET state = 'running', attempt = 1, leaseToken = 'x', leaseHolder = ?, leaseUntil = ?",
      )
      .run(unseen, '2026-03-03T11:15:07.250Z');
    timersStandStill();
    await queue.runner.start();
    expect(queue.job(id)).toMatchObject({ state: 'running', leaseUntil: '2026-03-02T09:15:08.250Z' });
    queue.clock.advance(62 * SECOND);
    vi.advanceTimersByTime(5 * SECOND);
    await until(() => queue.job(id).state === 'available');
    queue.clock.advance(5 * MINUTE);
    vi.advanceTimersByTime(30 * SECOND);
    await until(() => queue.job(id).state === 'completed');
  });

  test('has a job of a process that has ended released at once, whatever its lease says', async () => {
    const queue = aQueue();
    const id = await queue.add();
    queue.db.raw
      .prepare(
        "UPDATE jobs SET state = 'running', attempt = 1, leaseToken = 'x', leaseHolder = ?, leaseUntil = ?",
      )
      .run(DEAD, '2026-03-03T11:15:07.250Z');
    expect(await queue.runner.recover()).toBe(1);
    expect(queue.job(id)).toMatchObject({ state: 'available', leaseUntil: null });
  });

  test('a job that was due before it began to wait is due now, not earlier', async () => {
    const queue = aQueue();
    queue.db.raw.exec(
      `INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', '${BACK.replace('07', '09')}', '${NOW}')`,
    );
    queue.clock.set(BACK);
    timersStandStill();
    await queue.runner.start();
    await until(() => queue.job(1).state === 'completed');
    expect(queue.job(1).runAt).toBe(BACK);
  });

  test('delays no job that was due just then', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    await asleep();
    const id = await queue.writer.write((db) => {
      queue.clock.set(BACK);
      return enqueue(db, { kind: 'send-mail', payload: {}, now: NOW }).id;
    });
    vi.advanceTimersByTime(100);
    await until(() => queue.job(id).state === 'completed');
  });
});

describe('the mail to the office about jobs that have failed for good', () => {
  /** Fails a job of a kind at once and for good. */
  async function fail(queue: TestQueue, kind: JobName = 'complete-signature') {
    const id = await queue.add(kind);
    queue.db.raw.prepare('UPDATE jobs SET attempt = 6 WHERE id = ?').run(id);
    await queue.runner.runNow(id);
    expect(queue.job(id).state).toBe('failed');
  }

  const orders = ({ db }: TestQueue) =>
    db.raw
      .prepare("SELECT runAt, payload ->> 'part' AS part FROM jobs WHERE payload ->> 'mail' = 'jobs-failed'")
      .all();

  test('is one for all that fail within five minutes, then one at the end of the hour', async () => {
    const queue = aQueue(({ kind }) => (kind === mailJob.name ? {} : Promise.reject(new Error('no'))));
    const first = { runAt: '2026-03-02T09:19:07.250Z', part: '2026-03-02T09/1' };
    const later = { runAt: '2026-03-02T09:59:59.999Z', part: '2026-03-02T09/2' };
    await fail(queue);
    await fail(queue);
    expect(orders(queue)).toEqual([first]);

    queue.clock.advance(5 * MINUTE);
    await queue.runner.drain();
    expect(orders(queue)).toEqual([first]);
    await fail(queue);
    await fail(queue);
    expect(orders(queue)).toEqual([first, later]);

    queue.clock.advance(HOUR);
    await fail(queue);
    expect(orders(queue)).toHaveLength(3);
  });

  test('is told again after the clock was set back: it lists what has failed by the clock of now', async () => {
    const queue = aQueue(({ kind }) => (kind === mailJob.name ? {} : Promise.reject(new Error('no'))));
    const since = ({ db }: TestQueue) =>
      db.raw
        .prepare(
          "SELECT state, payload ->> 'since' AS since, runAt FROM jobs WHERE payload ->> 'mail' = 'jobs-failed' ORDER BY id",
        )
        .all();
    // Both mails of the hour were sent, the second at its end.
    await fail(queue);
    queue.clock.advance(5 * MINUTE);
    await queue.runner.drain();
    await fail(queue);
    queue.clock.set('2026-03-02T09:59:59.999Z');
    await queue.runner.drain();
    expect(since(queue)).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);

    // The first was ordered later than now.
    queue.clock.set('2026-03-02T09:10:00.000Z');
    await fail(queue);
    const first = {
      state: 'available',
      since: '2026-03-02T09:10:00.000Z',
      runAt: '2026-03-02T09:15:00.000Z',
    };
    expect(since(queue)).toMatchObject([first, { state: 'completed' }]);
    queue.clock.advance(5 * MINUTE);
    await queue.runner.drain();

    // The first was sent just now; the second was sent later than now.
    queue.clock.set('2026-03-02T09:30:00.000Z');
    await fail(queue);
    const second = {
      state: 'available',
      since: '2026-03-02T09:30:00.000Z',
      runAt: '2026-03-02T09:59:59.999Z',
    };
    expect(since(queue)).toMatchObject([{ ...first, state: 'completed' }, second]);
  });

  test('that waits lists what fails after the clock was set back, too', async () => {
    const queue = aQueue(FAIL);
    await fail(queue);
    queue.clock.set('2026-03-02T09:01:00.000Z');
    await fail(queue);
    expect(orders(queue)).toEqual([{ runAt: '2026-03-02T09:19:07.250Z', part: '2026-03-02T09/1' }]);
    const told = queue.db.raw.prepare(
      "SELECT payload ->> 'since' FROM jobs WHERE payload ->> 'mail' = 'jobs-failed'",
    );
    expect(told.pluck().get()).toBe('2026-03-02T09:01:00.000Z');
  });

  test('is none about a delivery: its subscription is the office’s news', async () => {
    const queue = aQueue(FAIL);
    await fail(queue, 'deliver-webhook');
    expect(orders(queue)).toEqual([]);
  });
});

describe('a replay', () => {
  /** Failed jobs: one that has nothing to do by now, one whose payload is ruined, a delivery to nobody, and one that waits. */
  async function failedApp() {
    const app = await startApp();
    const { request, contract } = await app.waitingRequest();
    const add = (kind: JobName, payload: object) =>
      app.ctx.writer.write((db) => enqueue(db, { kind, payload, now: NOW }).id);
    const good = await add('create-payment-session', { requestId: request.id, contractId: contract.id });
    const ruined = await add('create-payment-session', {});
    const pointless = await add('deliver-webhook', { deliveryId: 99 });
    app.ctx.db.raw
      .prepare(
        "UPDATE jobs SET state = 'failed', attempt = 4, finishedAt = ?, lastError = 'old' WHERE kind <> 'send-mail'",
      )
      .run(NOW);
    app.ctx.db.raw.prepare("UPDATE jobs SET payload = '{' WHERE id = ?").run(ruined);
    const waiting = await add('complete-signature', { contractId: 99, provedAt: null });
    return { app, good, ruined, pointless, waiting };
  }

  test('tells of each job what came of it; only failed ones that make sense are tried', async () => {
    const { app, good, ruined, pointless, waiting } = await failedApp();
    expect([countFailed(app.ctx, 9), countFailed(app.ctx, 2)]).toEqual([3, 2]);
    const by = { actor: TESTER, reason: 'again' };
    const { replayed, failed, results } = await replayFailed(app.ctx, [good, ruined, pointless, waiting], by);
    expect([replayed, failed]).toEqual([1, 3]);
    const error = expect.anything() as unknown;
    expect(results).toEqual([
      { id: good, kind: 'create-payment-session', state: 'completed', error: null },
      { id: ruined, kind: 'create-payment-session', state: 'failed', error },
      {
        id: pointless,
        kind: 'deliver-webhook',
        state: 'failed',
        error,
        refusal: expect.objectContaining({ code: 'webhook_deleted' }) as Error,
      },
      {
        id: waiting,
        kind: 'complete-signature',
        state: 'failed',
        error: `Job ${waiting} has not failed.`,
        refusal: expect.objectContaining({ code: 'job_not_failed' }) as Error,
      },
    ]);
    const tried = [good, ruined, pointless, waiting].map((id) => findJob(app.ctx.db, { id }));
    expect(tried.map((job) => [job?.state, job?.replays])).toEqual([
      ['completed', 1],
      ['failed', 1],
      ['failed', 0],
      ['available', 0],
    ]);
    const history = app.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'job.replayed'")
      .pluck()
      .all();
    expect(history.map((detail) => JSON.parse(detail as string))).toEqual([
      { jobId: good, kind: 'create-payment-session', reason: 'again' },
      { jobId: ruined, kind: 'create-payment-session', reason: 'again' },
    ]);
    expect(findFailedJob(app.ctx, good)).toBeUndefined();
    expect(findFailedJob(app.ctx, ruined)).toMatchObject({ id: ruined });
    const row = (id: number) => app.jobs().find((job) => job.id === id) as JobRow;
    expect(whyNotReplayable(app.ctx, row(ruined))).toBeUndefined();
    expect(whyNotReplayable(app.ctx, row(pointless))).toMatchObject({ code: 'webhook_deleted' });
  });

  test('wakes the runner of this program', async () => {
    const { app, good } = await failedApp();
    timersStandStill();
    await app.ctx.jobs.start();
    await turnsPass();
    expect(await replayFailed(app.ctx, [good], { actor: TESTER })).toMatchObject({ replayed: 1 });
  });
});

test('an error that brings something to store has it stored by the queue, also when it could not be at once', async () => {
  const queue = aQueue(() => {
    throw new RetryableError('http_500', {
      retryAfterMs: 0,
      settle: (tx) => tx.record('webhook.disabled', null),
    });
  });
  const id = await queue.add();
  queue.db.raw.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON jobs WHEN new.state <> 'running' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  await queue.runner.runNow(id);
  const actors = () => queue.db.raw.prepare('SELECT actor FROM history').pluck().all();
  expect(actors()).toEqual([]);
  queue.db.raw.exec('DROP TRIGGER full');
  expect(await queue.runner.recover()).toBe(1);
  expect(actors()).toEqual(['job']);
});

test.each<['available' | 'failed' | 'running', object[]]>([
  ['available', []],
  ['failed', [{ jobId: 1, kind: 'send-mail', lastError: 'it went wrong', reason: 'renewed' }]],
  ['running', []],
])('a job that is dropped while %s; the history tells of a failed one', async (state, told) => {
  const queue = aQueue(FAIL);
  const id = await queue.add('send-mail', { uniqueKey: 'one' });
  await queue.runner.drain();
  const { raw } = queue.db;
  if (state === 'failed') raw.prepare("UPDATE jobs SET state = 'failed', finishedAt = ?").run(NOW);
  if (state === 'running')
    raw.exec("UPDATE jobs SET state = 'running', leaseToken = 'x', leaseHolder = '1', leaseUntil = 'z'");
  await change(queue, { actor: TESTER, reason: 'renewed' }, (tx) => {
    for (const key of ['one', 'another']) dropJob(tx, key, { requestId: null, contractId: null });
  });
  expect(raw.prepare('SELECT id FROM jobs').pluck().all()).toEqual(state === 'running' ? [id] : []);
  const details = raw.prepare('SELECT detail FROM history').pluck().all() as string[];
  expect(details.map((detail) => JSON.parse(detail) as object)).toEqual(told);
});

test('an error that brings something to store has it stored with the release, and how the job ended', async () => {
  const settle = vi.fn();
  const queue = aQueue(() => {
    throw new RetryableError('http_500', { retryAfterMs: 0, settle });
  });
  await queue.add('create-payment-session');
  for (const wait of [0, 1_000, 2_000, 4_000]) {
    queue.clock.advance(wait);
    await queue.runner.drain();
  }
  expect(settle.mock.calls.map(([, state]) => state as string)).toEqual([
    'available',
    'available',
    'available',
    'failed',
  ]);
  const mails = queue.db.raw.prepare("SELECT count(*) FROM jobs WHERE kind = 'send-mail'").pluck().get();
  expect(mails).toBe(1);
});

describe('beside another runner', () => {
  function take(queue: TestQueue, leaseUntil: string): void {
    claimJobs(queue.db, {
      kind: 'send-mail',
      now: NOW,
      limit: 1,
      leaseToken: `until ${leaseUntil}`,
      leaseHolder: LIVING,
      leaseUntil,
    });
  }

  test('only what nobody works on is released', async () => {
    const queue = aQueue();
    const [lapsed, alive] = [await queue.add(), await queue.add()];
    take(queue, '2026-03-02T09:00:00.000Z');
    take(queue, '2026-03-02T10:00:00.000Z');
    expect(await queue.runner.recover()).toBe(1);
    expect([queue.job(lapsed).state, queue.job(alive).state]).toEqual(['available', 'running']);
  });

  test('a stop gives back our own jobs only', async () => {
    const { handle } = held();
    const queue = aQueue(handle);
    const theirs = await queue.add();
    take(queue, '2026-03-02T10:00:00.000Z');
    const ours = await queue.add();
    void queue.runner.runNow(ours);
    await until(() => queue.job(ours).state === 'running');
    await queue.runner.stop(0);
    expect([queue.job(theirs).state, queue.job(ours).state]).toEqual(['running', 'available']);
  });

  test('what it commits is noticed within 100 ms, although no timer is due', async () => {
    timersStandStill();
    const queue = aQueue();
    await queue.runner.start();
    await asleep();
    const other = openDb(queue.file, { busyTimeoutMs: 0 });
    other.raw.exec(
      `INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', '${NOW}', '${NOW}')`,
    );
    other.close();
    vi.advanceTimersByTime(100);
    await until(() => queue.job(1).state === 'completed');
  });

  test('a retry comes at its time, as soon as the failure is on disk', async () => {
    timersStandStill();
    const queue = aQueue(({ attempt }) => (attempt === 1 ? Promise.reject(new Error('no')) : {}));
    await queue.runner.start();
    const id = await queue.add();
    await until(() => queue.job(id).state === 'available' && queue.job(id).attempt === 1);
    await asleep();
    queue.clock.advance(SECOND);
    vi.advanceTimersByTime(SECOND);
    await until(() => queue.job(id).state === 'completed');
  });
});

test('a key says whether its work is new; a kind that nobody knows is a fault', async () => {
  const queue = aQueue();
  const work = { kind: 'send-mail', payload: {}, uniqueKey: 'one', now: NOW };
  const add = () => queue.writer.write((db) => enqueue(db, work));
  expect([(await add()).isNew, (await add()).isNew]).toEqual([true, false]);
  expect(() => kindOf({ kind: 'dance' })).toThrow('there is no kind of job called dance');
});
