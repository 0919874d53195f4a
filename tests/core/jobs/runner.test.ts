/** The runner: what it claims and when, what it releases, and what a crash, a stop or another clock changes. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { enqueue } from '../../../src/core/jobs/queue.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { kindOf } from '../../../src/core/jobs/kinds.js';
import { openDb } from '../../../src/db/open.js';
import { listRunningJobs } from '../../../src/db/jobs/jobs.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { HOUR, MINUTE, SECOND } from '../../support/clock.js';
import { DEAD, LIVING, named, OURS } from '../../support/holders.js';
import {
  aQueue,
  asleep,
  FAIL,
  fillDisk,
  held,
  takeAway,
  timersStandStill,
  turnsPass,
  until,
  type QueueOptions,
  type Handle,
  type TestQueue,
} from '../../support/queue.js';

const NOW = '2026-03-02T09:14:07.250Z';
const TEN = '2026-03-02T10:00:00.000Z';

/** One that runs; timers go by hand. */
async function started(handle?: Handle, options?: QueueOptions): Promise<TestQueue> {
  timersStandStill();
  const queue = aQueue(handle, options);
  await queue.runner.start();
  return queue;
}

function timePasses(queue: TestQueue, ms: number): void {
  queue.clock.advance(ms);
  vi.advanceTimersByTime(ms);
}

const comesTo = (queue: TestQueue, id: number, state: string) => until(() => queue.job(id).state === state);
const messages = ({ log }: TestQueue) => log.map(({ msg }) => msg);

/** A job that somebody else has put there, as it is. */
function insertJob({ db }: Pick<TestQueue, 'db'>, runAt = NOW, createdAt = NOW): void {
  db.raw
    .prepare(
      "INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', ?, ?)",
    )
    .run(runAt, createdAt);
}

describe('claims', () => {
  test('jobs are taken in the order in which they are due, then by id', async () => {
    const order: number[] = [];
    const queue = aQueue((job) => {
      order.push(job.id);
      return {};
    });
    const add = (second: number) => queue.add('send-mail', { now: `2026-03-02T09:00:0${second}.000Z` });
    const [late, early, first, second] = [await add(2), await add(1), await add(0), await add(0)];
    await queue.runner.drain();
    expect(order).toEqual([first, second, early, late]);
  });

  test('the try is counted when the job is taken, and the lease names token, process and end', async () => {
    let running: object[] = [];
    const queue = aQueue(() => {
      running = listRunningJobs(queue.db);
      return {};
    });
    const id = await queue.add();
    await queue.runner.drain();
    expect(running).toMatchObject([
      { state: 'running', attempt: 1, leaseHolder: OURS, leaseUntil: '2026-03-02T09:15:07.250Z' },
    ]);
    const done = { state: 'completed', attempt: 1, leaseToken: null, finishedAt: NOW };
    expect(queue.job(id)).toMatchObject(done);
  });

  test('two runners on one database never share a job', async () => {
    const done: number[] = [];
    const note: Handle = (job) => {
      done.push(job.id);
      return {};
    };
    const queue = aQueue(note);
    const other = queue.other(note);
    const ids = [];
    for (let i = 0; i < 60; i += 1) ids.push(await queue.add());
    await Promise.all([queue.runner.drain(), other.drain()]);
    expect(done.toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('kinds do not take each other’s place: hanging mails leave payments running', async () => {
    const { handle, releases } = held();
    const queue = await started((job, signal) => (job.kind === 'send-mail' ? handle(job, signal) : {}));
    for (let i = 0; i < mailJob.slots + 4; i += 1) await queue.add();
    await comesTo(queue, await queue.add('create-payment-session'), 'completed');
    expect(releases).toHaveLength(mailJob.slots);
  });

  test('one by hand takes a slot: no other begins until there is one, even if its claim is on its way', async () => {
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

  test('a job begins when calls stop coming in, or after a quarter of a second at the latest; after that full wait, other jobs begin at once for a second', async () => {
    const queue = aQueue();
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const begin = async (kind: JobName) => {
      queue.runner.calls.connected();
      const id = await queue.add(kind);
      void queue.runner.runNow(id);
      await turnsPass();
      expect(queue.job(id).state).toBe('running');
      return id;
    };

    const first = await begin('send-mail');
    now.mockReturnValue(5);
    await comesTo(queue, first, 'completed');

    const second = await begin('create-payment-session');
    for (const ms of [9, 100, 254]) {
      now.mockReturnValue(ms);
      queue.runner.calls.connected();
      await turnsPass();
      expect([ms, queue.job(second).state]).toEqual([ms, 'running']);
    }
    now.mockReturnValue(255);
    queue.runner.calls.connected();
    await comesTo(queue, second, 'completed');

    const third = await queue.add('deliver-webhook');
    void queue.runner.runNow(third);
    await comesTo(queue, third, 'completed');
    now.mockReturnValue(1_255);
    await begin('complete-signature');
  });
});

describe('after a crash', () => {
  test('a job whose lease has expired is released, and its lost attempt is counted and recorded', async () => {
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue, LIVING);
    queue.clock.advance(MINUTE);
    expect(await queue.runner.recover()).toBe(0);
    queue.clock.advance(1);
    expect(await queue.runner.recover()).toBe(1);
    const lastError = 'the process that ran it ended';
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1, lastError });
    queue.clock.advance(1_000);
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({ state: 'completed', attempt: 2 });
  });

  test('one of a process that has ended is released at the start, whatever its lease says', async () => {
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue, DEAD, 'send-mail', 26 * HOUR);
    await queue.runner.start();
    expect(queue.job(id)).toMatchObject({ state: 'available', leaseUntil: null, attempt: 1 });
  });

  test('one that kills its process each time ends in the failed list', async () => {
    const queue = aQueue();
    const id = await queue.add('create-payment-session');
    for (let i = 0; i < 4; i += 1) {
      takeAway(queue, DEAD, 'create-payment-session');
      await queue.runner.recover();
      queue.clock.advance(4_000);
    }
    expect(queue.job(id)).toMatchObject({ state: 'failed', attempt: 4 });
  });
});

test('who has nothing to do needs no write lock, and still notices when files were moved', async () => {
  timersStandStill();
  const queue = aQueue(undefined, { writer: { lockWaitMs: 0 } });
  await queue.add();
  takeAway(queue, LIVING);
  insertJob(queue, TEN, NOW);
  let looks = 0;
  queue.writer.refuseWhile(() => void (looks += 1));
  const other = openDb(queue.file, { busyTimeoutMs: 0 });
  other.raw.exec('BEGIN IMMEDIATE');
  expect([await queue.runner.drain(), await queue.runner.recover()]).toEqual([0, 0]);
  await queue.runner.start();
  vi.advanceTimersByTime(30 * SECOND);
  await turnsPass();
  expect(queue.log).toEqual([]);
  expect(looks).toBeGreaterThan(100);
  other.raw.exec('ROLLBACK');
  other.close();
});

describe('a started runner', () => {
  test('renews the lease of what runs every 20 s', async () => {
    const { handle } = held();
    const queue = await started(handle);
    const id = await queue.add();
    await comesTo(queue, id, 'running');
    timePasses(queue, 20 * SECOND);
    await until(() => queue.job(id).leaseUntil === '2026-03-02T09:15:27.250Z');
  });

  test('looks every 5 s for jobs whose process has lost its lease', async () => {
    const queue = await started();
    const id = await queue.add('send-mail', { now: TEN });
    queue.clock.set(TEN);
    takeAway(queue, LIVING, 'send-mail', -1);
    insertJob(queue, TEN);
    const alive = id + 1;
    takeAway(queue, LIVING, 'send-mail', 1);
    await asleep();
    vi.advanceTimersByTime(5 * SECOND);
    await until(() => queue.job(id).state !== 'running');
    expect(queue.job(id).lastError).toBe('the process that ran it ended');
    expect(queue.job(alive).state).toBe('running');
    // Its next try comes at its time.
    await asleep();
    timePasses(queue, SECOND);
    await comesTo(queue, id, 'completed');
  });

  test('looks at the clock at least every 30 s, so that one that is put forward delays nothing', async () => {
    const queue = await started();
    const id = await queue.add('send-mail', { now: TEN });
    await asleep();
    queue.clock.advance(HOUR);
    vi.advanceTimersByTime(30 * SECOND);
    await comesTo(queue, id, 'completed');
  });

  test('works off more than it has slots for, and the jobs of a lane: no timer is needed', async () => {
    const queue = await started();
    const ids = await Promise.all(Array.from({ length: 100 }, () => queue.add()));
    ids.push(await queue.add('deliver-webhook'), await queue.add('deliver-webhook'));
    await until(() => ids.every((id) => queue.job(id).state === 'completed'));
  });

  test('notices what another connection commits within 100 ms, although no timer is due', async () => {
    const queue = await started();
    await asleep();
    const other = openDb(queue.file, { busyTimeoutMs: 0 });
    insertJob({ db: other });
    other.close();
    vi.advanceTimersByTime(100);
    await comesTo(queue, 1, 'completed');
  });

  test('tries again at its time, as soon as the failure is on disk', async () => {
    const queue = await started(({ attempt }) => (attempt === 1 ? Promise.reject(new Error('no')) : {}));
    const id = await queue.add();
    await until(() => queue.job(id).state === 'available' && queue.job(id).attempt === 1);
    await asleep();
    timePasses(queue, SECOND);
    await comesTo(queue, id, 'completed');
  });

  test('whose disk is full says so of everything that it could not store, and goes on when it can', async () => {
    const { handle } = held();
    const queue = await started(handle);
    const [ours, later] = [await queue.add(), await queue.add('send-mail', { now: TEN })];
    await comesTo(queue, ours, 'running');
    const theirs = await queue.add('complete-signature');
    await comesTo(queue, theirs, 'running');
    queue.db.raw.exec(
      `UPDATE jobs SET leaseToken = 'of another', leaseUntil = '2026-03-01' WHERE id = ${theirs}`,
    );
    const free = fillDisk(queue, '');
    const complaints = () => new Set(messages(queue));
    vi.advanceTimersByTime(20 * SECOND);
    queue.clock.set('2026-03-01T09:14:07.250Z');
    vi.advanceTimersByTime(SECOND);
    await until(() => complaints().size === 3);
    queue.clock.set(TEN);
    vi.advanceTimersByTime(30 * SECOND);
    await until(() => complaints().size === 4);
    free();
    vi.advanceTimersByTime(SECOND);
    await comesTo(queue, later, 'running');

    fillDisk(queue, '');
    const stopped = queue.runner.stop(0);
    await asleep();
    await stopped;
    expect(queue.log.filter((line) => !JSON.stringify(line).includes('disk full'))).toEqual([]);
    expect([...complaints()].toSorted()).toEqual([
      'jobs could not be claimed',
      'jobs that nobody is working on could not be released',
      'jobs that still run could not be given back',
      'leases could not be renewed',
      'waits could not begin anew after the clock was set back',
    ]);
  });

  test('that cannot read when the next job is due looks again after a second', async () => {
    const queue = await started();
    const id = await queue.add('send-mail', { now: '2026-03-02T09:14:08.250Z' });
    await turnsPass();
    queue.db.raw.exec('ALTER TABLE lanes RENAME TO lost');
    vi.advanceTimersByTime(1);
    expect(messages(queue)).toEqual(['jobs could not be claimed']);
    queue.db.raw.exec('ALTER TABLE lost RENAME TO lanes');
    timePasses(queue, SECOND);
    await comesTo(queue, id, 'completed');
  });
});

describe('a clock that is set back by a day', () => {
  const BACK = '2026-03-01T09:14:07.250Z';
  const at = (ms: number) => new Date(Date.parse(BACK) + ms).toISOString();

  test.each<JobName>(['create-payment-session', 'deliver-webhook'])(
    '%s: its wait starts over, at its own length, while the runner runs',
    async (kind) => {
      const queue = await started(FAIL);
      const id = await queue.add(kind);
      await until(() => queue.job(id).attempt === 1 && queue.job(id).state === 'available');
      queue.clock.set(BACK);
      vi.advanceTimersByTime(SECOND);
      await until(() => queue.job(id).runAt === at(kindOf({ kind }).waitsMs[0] as number));
      expect(messages(queue)).toContain('the clock was set back: waits begin anew');
    },
  );

  test('and while it did not run: the wait of the last try starts over; a job that was never tried waits for nothing', async () => {
    const queue = aQueue(FAIL);
    const failed = await queue.add();
    for (const wait of [0, 1_000, 5_000]) {
      queue.clock.advance(wait);
      await queue.runner.drain();
    }
    queue.clock.set(BACK);
    const kept = await queue.add('send-mail', { now: at(650) });
    const owed = await queue.add('send-mail', { now: NOW });
    await queue.other().start();
    await comesTo(queue, owed, 'completed');
    expect(queue.job(failed)).toMatchObject({ state: 'available', runAt: at(30 * SECOND) });
    expect(queue.job(kept).runAt).toBe(at(650));
  });

  test('leaves alone what began to wait within a second of it, and restarts any number of the others', async () => {
    const queue = aQueue();
    queue.db.raw.transaction(() => {
      insertJob(queue, at(HOUR), at(SECOND));
      insertJob(queue, at(HOUR), at(SECOND + 1));
      for (let i = 0; i < 501; i += 1) insertJob(queue, at(2 * HOUR + i), at(HOUR + i));
    })();
    queue.clock.set(BACK);
    await queue.runner.start();
    const dues = queue.db.raw.prepare('SELECT runAt FROM jobs ORDER BY id').pluck().all();
    expect(dues).toEqual([at(HOUR), at(HOUR - SECOND - 1), ...Array<string>(501).fill(at(HOUR))]);
    expect(queue.log).toMatchObject([{ jobs: 502, kind: 'send-mail' }]);
  });

  test('has no lease of a holder that nobody can see last for longer than one of now', async () => {
    timersStandStill();
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue, named({ namespace: 4_026_500_000 }), 'send-mail', 26 * HOUR);
    await queue.runner.start();
    expect(queue.job(id)).toMatchObject({ state: 'running', leaseUntil: '2026-03-02T09:15:08.250Z' });
    expect(queue.log).toMatchObject([{ leases: 1, msg: 'the clock was set back: leases begin anew' }]);
    queue.clock.advance(62 * SECOND);
    vi.advanceTimersByTime(5 * SECOND);
    await comesTo(queue, id, 'available');
    queue.clock.advance(5 * MINUTE);
    vi.advanceTimersByTime(30 * SECOND);
    await comesTo(queue, id, 'completed');
  });

  test('a job that was due before it began to wait is due now, not earlier', async () => {
    timersStandStill();
    const queue = aQueue();
    insertJob(queue, at(2 * SECOND));
    queue.clock.set(BACK);
    await queue.runner.start();
    await comesTo(queue, 1, 'completed');
    expect(queue.job(1).runAt).toBe(BACK);
  });

  test('delays no job that was due just then', async () => {
    const queue = await started();
    await asleep();
    const id = await queue.writer.write((db) => {
      queue.clock.set(BACK);
      return enqueue(db, { kind: 'send-mail', payload: {}, now: NOW }).id;
    });
    vi.advanceTimersByTime(100);
    await comesTo(queue, id, 'completed');
  });
});

describe('stop', () => {
  test('waits for what runs and claims nothing more', async () => {
    const { handle, releases } = held();
    const queue = await started(handle);
    const ids = await Promise.all(Array.from({ length: mailJob.slots + 2 }, () => queue.add()));
    await until(() => releases.length === mailJob.slots);
    const stopped = queue.runner.stop();
    await turnsPass();
    releases.forEach((release) => release());
    await stopped;
    const states = ids.map((id) => queue.job(id).state).toSorted();
    expect(states).toEqual(['available', 'available', ...Array<string>(mailJob.slots).fill('completed')]);
  });

  test.each(['while it sleeps', 'while a claim is on its way'])('leaves no timer behind %s', async (when) => {
    const { handle, releases } = held();
    const queue = await started(handle);
    expect(queue.runner.isRunning).toBe(true);
    for (const now of [TEN, '2026-03-02T09:30:00.000Z']) {
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
    expect(messages(queue)).toEqual(['job done']);
  });

  test('gives back its own jobs that do not end in time, and stores nothing of them later', async () => {
    const { handle, releases } = held();
    let signalled = false;
    const queue = aQueue((job, signal) => {
      signal.addEventListener('abort', () => (signalled = true));
      return handle(job, signal);
    });
    const theirs = await queue.add();
    takeAway(queue, LIVING);
    const id = await queue.add();
    const outcome = queue.runner.runNow(id);
    await comesTo(queue, id, 'running');
    await queue.runner.stop(0);
    const lastError = 'the program that ran it was stopped';
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1, leaseToken: null, lastError });
    expect([signalled, queue.job(theirs).state]).toEqual([true, 'running']);
    releases.forEach((release) => release());
    expect(await outcome).toMatchObject({ state: 'lost' });
    expect(queue.job(id).state).toBe('available');
  });
});
