/** The job queue: claims, leases, retries, the failed list, and what a crash or a stop leaves behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  failedStats,
  getFailedJob,
  failedIds,
  groupOf,
  listFailed,
  listFailedGroups,
  removeFailed,
  replayFailed,
} from '../../../src/core/jobs/failed.js';
import { FAILED } from '../../../src/core/resources/failed.js';
import { placeOf } from '../../../src/core/resources/show.js';
import { ANY_TIME, type Place } from '../../../src/core/calls/listing.js';
import { enqueue, enqueueAgain } from '../../../src/core/jobs/queue.js';
import { rememberError, type PastError } from '../../../src/core/jobs/past-errors.js';
import { nextTryAt } from '../../../src/core/jobs/retry-policy.js';
import { JOB_KINDS, kindOf } from '../../../src/core/jobs/kinds.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { paymentJob } from '../../../src/core/payment/payment-job.js';
import { systemClock } from '../../../src/core/clock.js';
import { claimJobs } from '../../../src/db/jobs/claims.js';
import { listRunningJobs } from '../../../src/db/jobs/jobs.js';
import { openDb } from '../../../src/db/open.js';
import type { JobRow } from '../../../src/db/schema.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR, MINUTE } from '../../support/clock.js';
import { DEAD, LIVING, OURS } from '../../support/holders.js';
import { aQueue, until, type Handle, type TestQueue } from '../../support/queue.js';

const FAIL: Handle = () => {
  throw new Error('it went wrong');
};

/** Takes jobs as a process would that then says nothing more. */
function takeAway(
  queue: TestQueue,
  { holder = LIVING, kind = 'send-mail' }: { holder?: string; kind?: JobName } = {},
): JobRow[] {
  const now = queue.clock.now();
  return claimJobs(queue.db, {
    kind,
    now: now.toISOString(),
    limit: 10,
    leaseToken: 'of another runner',
    leaseHolder: holder,
    leaseUntil: new Date(now.getTime() + MINUTE).toISOString(),
  });
}

const openJobs = ({ db }: TestQueue) =>
  (db.raw.prepare("SELECT count(*) AS n FROM jobs WHERE state <> 'completed'").get() as { n: number }).n;

describe('the waits', () => {
  test('are those of the rules: a first try and then these', () => {
    expect(Object.fromEntries(JOB_KINDS.map(({ name, waitsMs }) => [name, waitsMs]))).toEqual({
      'create-payment-session': [1_000, 2_000, 4_000],
      'send-mail': [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
      'complete-signature': [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
      'confirm-end': [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
      'correct-signer': [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
      'deliver-webhook': [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
    });
  });

  test.each(JOB_KINDS)(
    '$name: each try comes exactly then, and after the last the job is failed',
    async ({ name, waitsMs: waits }) => {
      let tries = 0;
      const queue = aQueue(() => {
        tries += 1;
        throw new Error('no');
      });
      const id = await queue.add(name);
      await queue.runner.drain();
      for (const [i, wait] of waits.entries()) {
        queue.clock.advance(wait - 1);
        await queue.runner.drain();
        expect(tries).toBe(i + 1);
        queue.clock.advance(1);
        await queue.runner.drain();
        expect(tries).toBe(i + 2);
      }
      expect(queue.job(id)).toMatchObject({ state: 'failed', attempt: waits.length + 1, lastError: 'no' });
    },
  );

  test('a wait that the error demands makes the next try later, never sooner', async () => {
    const now = new Date('2026-03-02T09:00:00Z');
    expect(nextTryAt(mailJob, 2, now, 60_000)?.toISOString()).toBe('2026-03-02T09:01:00.000Z');
    expect(nextTryAt(mailJob, 2, now, 1)?.toISOString()).toBe('2026-03-02T09:00:05.000Z');
    expect(nextTryAt(paymentJob, 4, now, 60_000)).toBeUndefined();

    const queue = aQueue(() => {
      throw Object.assign(new Error('later'), { retryAfterMs: 90_000 });
    });
    const id = await queue.add();
    await queue.runner.drain();
    expect(queue.job(id).runAt).toBe('2026-03-02T09:15:37.250Z');
  });
});

describe('claims', () => {
  test('jobs are taken in the order in which they are due, then by id', async () => {
    const order: number[] = [];
    const queue = aQueue((job) => {
      order.push(job.id);
      return {};
    });
    const [late, early, first, second] = [
      await queue.add('send-mail', { now: '2026-03-02T09:00:02.000Z' }),
      await queue.add('send-mail', { now: '2026-03-02T09:00:01.000Z' }),
      await queue.add('send-mail', { now: '2026-03-02T09:00:00.000Z' }),
      await queue.add('send-mail', { now: '2026-03-02T09:00:00.000Z' }),
    ];
    await queue.runner.drain();
    expect(order).toEqual([first, second, early, late]);
  });

  test('a job that is not due stays', async () => {
    const queue = aQueue();
    const id = await queue.add('send-mail', { now: '2026-03-02T09:14:07.251Z' });
    expect(await queue.runner.drain()).toBe(0);
    queue.clock.advance(1);
    expect(await queue.runner.drain()).toBe(1);
    expect(queue.job(id).state).toBe('completed');
  });

  test('the try is counted when the job is taken, and the lease names token, process and end', async () => {
    const queue = aQueue(() => {
      expect(listRunningJobs(queue.db)).toMatchObject([
        { state: 'running', attempt: 1, leaseHolder: OURS, leaseUntil: '2026-03-02T09:15:07.250Z' },
      ]);
      return {};
    });
    const id = await queue.add();
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({
      state: 'completed',
      attempt: 1,
      leaseToken: null,
      finishedAt: '2026-03-02T09:14:07.250Z',
    });
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
    expect(done.sort((a, b) => a - b)).toEqual(ids);
  });

  test('kinds do not take each other’s place: hanging mails leave payments running', async () => {
    let release = () => {};
    const hang = new Promise<void>((resolve) => (release = resolve));
    const paid: number[] = [];
    const queue = aQueue(
      async (job) => {
        if (job.kind === 'send-mail') await hang;
        else paid.push(job.id);
        return {};
      },
      { clock: systemClock },
    );
    for (let i = 0; i < mailJob.slots + 4; i += 1) await queue.add('send-mail');
    const payment = await queue.add('create-payment-session');
    await queue.runner.start();
    await until(() => paid.includes(payment));
    expect(listRunningJobs(queue.db).filter(({ kind }) => kind === 'send-mail')).toHaveLength(mailJob.slots);
    release();
    await until(() => openJobs(queue) === 0);
  });
});

describe('what a handler leaves', () => {
  test('its changes and the completion of the job are one transaction', async () => {
    const queue = aQueue(() => ({
      settle: ({ db }) => {
        db.raw.prepare("INSERT INTO counters VALUES ('settled', 1)").run();
        return 'a word';
      },
    }));
    const id = await queue.add();
    expect(await queue.runner.runNow(id)).toMatchObject({ state: 'completed', outcome: 'a word' });
    expect(queue.db.raw.prepare('SELECT value FROM counters').get()).toEqual({ value: 1 });
  });

  test('changes that cannot be made undo the completion too, and the job is tried again', async () => {
    const queue = aQueue(() => ({
      settle: ({ db }) => {
        db.raw.prepare("INSERT INTO counters VALUES ('settled', 1)").run();
        throw new Error('no');
      },
    }));
    const id = await queue.add();
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({ state: 'available', lastError: 'no' });
    expect(queue.db.raw.prepare('SELECT * FROM counters').all()).toEqual([]);
  });

  test.each(['succeeds', 'fails'])('a try that %s after its lease was lost is not stored', async (end) => {
    const queue = aQueue((job) => {
      queue.db.raw.prepare("UPDATE jobs SET leaseToken = 'another' WHERE id = ?").run(job.id);
      if (end === 'fails') throw new Error('too late');
      return { settle: ({ db }) => void db.raw.prepare("INSERT INTO counters VALUES ('late', 1)").run() };
    });
    const id = await queue.add();
    expect(await queue.runner.runNow(id)).toMatchObject({ state: 'lost' });
    expect(queue.job(id)).toMatchObject({ state: 'running', leaseToken: 'another', lastError: null });
    expect(queue.db.raw.prepare('SELECT * FROM counters').all()).toEqual([]);
  });

  test('a payload that is no JSON fails like any other try', async () => {
    const queue = aQueue();
    const id = await queue.add();
    queue.db.raw.prepare("UPDATE jobs SET payload = '{'").run();
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1 });
  });
});

describe('after a crash', () => {
  test('a job whose lease has expired is released, and its lost attempt is counted and recorded', async () => {
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue);
    queue.clock.advance(MINUTE);
    expect(await queue.runner.recover()).toBe(0);
    queue.clock.advance(1);
    expect(await queue.runner.recover()).toBe(1);
    expect(queue.job(id)).toMatchObject({
      state: 'available',
      attempt: 1,
      lastError: 'the process that ran it ended',
    });
    queue.clock.advance(1_000);
    await queue.runner.drain();
    expect(queue.job(id)).toMatchObject({ state: 'completed', attempt: 2 });
  });

  test('a job of a dead process is taken up at the start, long before its lease lapses', async () => {
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue, { holder: DEAD });
    await queue.runner.start();
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 1 });
  });

  test('one that dies later is noticed at the next look, however long its lease', async () => {
    const queue = aQueue();
    const id = await queue.add();
    queue.clock.advance(26 * HOUR);
    takeAway(queue, { holder: DEAD });
    queue.clock.advance(-26 * HOUR);
    expect(await queue.runner.recover()).toBe(1);
    expect(queue.job(id)).toMatchObject({ state: 'available', lastError: 'the process that ran it ended' });
  });

  test('a job of another living process is left alone', async () => {
    const queue = aQueue();
    const id = await queue.add();
    takeAway(queue);
    await queue.runner.start();
    expect(queue.job(id).state).toBe('running');
  });

  test('a job that kills its process each time ends in the failed list', async () => {
    const queue = aQueue();
    const id = await queue.add('create-payment-session');
    for (let i = 0; i < 4; i += 1) {
      takeAway(queue, { holder: DEAD, kind: 'create-payment-session' });
      await queue.runner.recover();
      queue.clock.advance(4_000);
    }
    expect(queue.job(id)).toMatchObject({ state: 'failed', attempt: 4 });
  });
});

describe('errors', () => {
  test('the first and the last nine are kept', () => {
    let history: PastError[] = [];
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      history = rememberError(history, { attempt, at: '', error: '' });
    }
    expect(history.map(({ attempt }) => attempt)).toEqual([1, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  });

  test('are stored with try and time', async () => {
    const queue = aQueue(FAIL);
    const id = await queue.add();
    await queue.runner.drain();
    queue.clock.advance(1_000);
    await queue.runner.drain();
    expect(JSON.parse(queue.job(id).errors)).toEqual([
      { attempt: 1, at: '2026-03-02T09:14:07.250Z', error: 'it went wrong' },
      { attempt: 2, at: '2026-03-02T09:14:08.250Z', error: 'it went wrong' },
    ]);
  });
});

describe('unique keys', () => {
  test('a second piece of work with the same key is not added', async () => {
    const queue = aQueue();
    const first = await queue.add('send-mail', { uniqueKey: 'one', payload: { n: 1 } });
    expect(await queue.add('send-mail', { uniqueKey: 'one', payload: { n: 2 } })).toBe(first);
    await queue.runner.drain();
    expect(await queue.add('send-mail', { uniqueKey: 'one' })).toBe(first);
    expect(queue.job(first)).toMatchObject({ state: 'completed', payload: '{"n":1}' });
  });

  test('enqueueAgain restarts one that has ended, with all its attempts, and leaves one that runs', async () => {
    const queue = aQueue(FAIL);
    const work = { kind: 'create-payment-session', payload: { requestId: 1, contractId: 1 } } as const;
    const again = () =>
      queue.writer.write((db) =>
        enqueueAgain(db, { ...work, uniqueKey: 'one', now: queue.clock.now().toISOString() }),
      );
    const { id } = await again();
    for (let i = 0; i < 4; i += 1) {
      await queue.runner.drain();
      queue.clock.advance(4_000);
    }
    expect(queue.job(id).state).toBe('failed');
    await again();
    expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 0, finishedAt: null });
    takeAway(queue, { kind: 'create-payment-session' });
    await again();
    expect(queue.job(id).state).toBe('running');
  });

  test('jobs without a key are never the same', async () => {
    const queue = aQueue();
    expect(await queue.add()).not.toBe(await queue.add());
  });

  test('work whose transaction fails is not owed', async () => {
    const queue = aQueue();
    const unit = queue.writer.write((db) => {
      enqueue(db, { kind: 'deliver-webhook', payload: { deliveryId: 1 }, now: '' });
      throw new Error('undone');
    });
    await rejection(unit);
    expect(queue.db.raw.prepare('SELECT * FROM jobs').all()).toEqual([]);
  });
});

describe('a clock that is set back by a day', () => {
  const DAY_BEFORE = '2026-03-01T09:14:07.250Z';

  test.each<JobName>(['create-payment-session', 'deliver-webhook'])(
    '%s: its wait starts over, at its own length, while the runner runs',
    async (kind) => {
      const queue = aQueue(FAIL);
      await queue.runner.start();
      const id = await queue.add(kind);
      await until(() => queue.job(id).attempt === 1 && queue.job(id).state === 'available');
      queue.clock.set(DAY_BEFORE);
      const runAt = new Date(Date.parse(DAY_BEFORE) + (kindOf({ kind }).waitsMs[0] as number)).toISOString();
      await until(() => queue.job(id).runAt === runAt);
      expect(queue.log.map(({ msg }) => msg)).toContain('the clock was set back: waits begin anew');
    },
  );

  test('and while it did not run; a job that was never tried waits for nothing', async () => {
    const queue = aQueue(FAIL);
    const failed = await queue.add();
    for (const wait of [0, 1_000, 5_000]) {
      queue.clock.advance(wait);
      await queue.runner.drain();
    }
    queue.clock.set(DAY_BEFORE);
    const kept = await queue.add('send-mail', { now: '2026-03-01T09:14:07.900Z' });
    const owed = await queue.add('send-mail', { now: '2026-03-02T09:14:07.250Z' });
    const other = queue.other();
    await other.start();
    await until(() => queue.job(owed).state === 'completed');
    expect(queue.job(failed)).toMatchObject({ state: 'available', runAt: '2026-03-01T09:14:37.250Z' });
    expect(queue.job(kept).runAt).toBe('2026-03-01T09:14:07.900Z');
  });
});

describe('a started runner (real time)', () => {
  /** Timers go by `vi.advanceTimersByTime` alone. */
  function timersStandStill(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  test('takes a job up at its commit: no timer is needed', async () => {
    timersStandStill();
    const queue = aQueue(undefined, { clock: systemClock });
    await queue.runner.start();
    const id = await queue.add();
    await until(() => queue.job(id).state === 'completed');
  });

  test('takes one up that becomes due, without a commit to wake it', async () => {
    const queue = aQueue(undefined, { clock: systemClock });
    await queue.runner.start();
    const id = await queue.add('send-mail', { now: new Date(Date.now() + 150).toISOString() });
    await until(() => queue.job(id).state === 'completed');
    expect((queue.job(id).finishedAt as string) >= queue.job(id).runAt).toBe(true);
  });

  test('takes one up within 250 ms that another process has written', async () => {
    timersStandStill();
    const queue = aQueue(undefined, { clock: systemClock });
    await queue.runner.start();
    const script = `
      const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))});
      const db = new Database(process.argv[1]);
      const now = new Date().toISOString();
      db.prepare("INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', ?, ?)")
        .run(now, now);`;
    const child = spawn(process.execPath, ['-e', script, queue.file]);
    await once(child, 'exit');
    vi.advanceTimersByTime(250);
    await until(
      () => queue.db.raw.prepare("SELECT 1 FROM jobs WHERE state = 'completed'").get() !== undefined,
    );
  });

  test('takes one up within 30 s that is due because the clock was set forward', async () => {
    timersStandStill();
    let aheadMs = 0;
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    const queue = aQueue(undefined, { clock });
    await queue.runner.start();
    const id = await queue.add('send-mail', { now: new Date(Date.now() + 3_600_000).toISOString() });
    aheadMs = 3_700_000;
    vi.advanceTimersByTime(30_000);
    await until(() => queue.job(id).state === 'completed');
  });

  test('works off more than it has slots for: no timer is needed', async () => {
    timersStandStill();
    const queue = aQueue(undefined, { clock: systemClock });
    await queue.runner.start();
    await Promise.all(Array.from({ length: 100 }, () => queue.add()));
    await until(() => openJobs(queue) === 0);
  });

  test('whose claims fail pauses between them, and goes on when it can', async () => {
    const queue = aQueue(undefined, { clock: systemClock, writer: { lockWaitMs: 1 } });
    const id = await queue.add();
    const blocker = openDb(queue.file, { busyTimeoutMs: 0 });
    await queue.runner.start();
    blocker.raw.exec('BEGIN IMMEDIATE');
    const complaints = () => queue.log.filter(({ msg }) => msg === 'jobs could not be claimed').length;
    if (queue.job(id).state !== 'completed') await until(() => complaints() > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(complaints()).toBeLessThan(3);
    blocker.raw.exec('ROLLBACK');
    blocker.close();
    await until(() => queue.job(id).state === 'completed');
  });
});

describe('stop', () => {
  test('waits for what runs and claims nothing more', async () => {
    const begun: number[] = [];
    const queue = aQueue(
      async (job) => {
        begun.push(job.id);
        await new Promise((resolve) => setTimeout(resolve, 50));
        return {};
      },
      { clock: systemClock },
    );
    await queue.runner.start();
    const ids = await Promise.all(Array.from({ length: mailJob.slots + 2 }, () => queue.add()));
    await until(() => begun.length > 0);
    await queue.runner.stop();
    expect(begun).toHaveLength(mailJob.slots);
    const states = ids.map((id) => queue.job(id).state).sort();
    expect(states).toEqual(['available', 'available', ...Array(mailJob.slots).fill('completed')]);
  });

  test('waits for a claim that is on its way, and for what it has taken', async () => {
    const queue = aQueue(undefined, { clock: systemClock });
    await queue.runner.start();
    const id = await queue.add();
    await queue.runner.stop();
    expect(['available', 'completed']).toContain(queue.job(id).state);
    expect(listRunningJobs(queue.db)).toEqual([]);
  });

  test('gives back what does not end in time, and stores nothing of it later', async () => {
    let release = () => {};
    const hang = new Promise<void>((resolve) => (release = resolve));
    let signalled = false;
    const queue = aQueue(async (_, signal) => {
      signal.addEventListener('abort', () => (signalled = true));
      await hang;
      return {};
    });
    const id = await queue.add();
    const outcome = queue.runner.runNow(id);
    await until(() => queue.job(id).state === 'running');

    await queue.runner.stop(20);

    expect(signalled).toBe(true);
    expect(queue.job(id)).toMatchObject({
      state: 'available',
      attempt: 1,
      leaseToken: null,
      lastError: 'the program that ran it was stopped',
    });
    release();
    expect(await outcome).toMatchObject({ state: 'lost' });
    expect(queue.job(id).state).toBe('available');
  });
});

describe('the failed list', () => {
  /** Failed jobs: two payments and one completion, an hour apart, made without asking anybody. */
  async function failedApp(): Promise<{ app: TestApp; ids: [number, number, number] }> {
    const app = await startApp();
    const insert = app.ctx.db.raw.prepare(
      `INSERT INTO jobs (kind, payload, state, attempt, runAt, requestId, lastError, createdAt, finishedAt)
       VALUES (?, ?, 'failed', 7, ?, ?, ?, ?, ?) RETURNING id`,
    );
    const add = (kind: JobName, error: string, at: string) =>
      (insert.get(kind, '{"mail":"admin-signed","contractId":77}', at, 1, error, at, at) as { id: number })
        .id;
    const ids: [number, number, number] = [
      add('send-mail', 'the mail server answered 550', '2026-03-02T10:00:00.000Z'),
      add('send-mail', 'the mail server answered 550', '2026-03-02T11:00:00.000Z'),
      add('complete-signature', 'Signature provider answered 500', '2026-03-02T12:00:00.000Z'),
    ];
    return { app, ids };
  }

  test('shows the newest first, cut to the limit, with the whole number', async () => {
    const { app, ids } = await failedApp();
    const { total, rows } = listFailed(app.ctx, {}, { limit: 2 });
    expect(total).toBe(3);
    expect(rows.map(({ job }) => job.id)).toEqual([ids[2], ids[1]]);
  });

  test.each([
    [{ kind: ['complete-signature'] }, [2]],
    [{ kind: ['send-mail', 'complete-signature'] }, [2, 1, 0]],
    [{ error: 'SIGNATURE provider' }, [2]],
    [{ error: '550' }, [1, 0]],
    [{ error: '%' }, []],
    [{ failedAt: { from: '2026-03-02T11:00:00.000Z', until: null } }, [2, 1]],
    [{ failedAt: { from: null, until: '2026-03-02T11:00:00.000Z' } }, [0]],
    [{ failedAt: { from: '2026-03-02T10:30:00.000Z', until: '2026-03-02T11:30:00.000Z' } }, [1]],
    [{ kind: ['send-mail'], failedAt: { from: '2026-03-02T12:00:00.000Z', until: null } }, []],
  ])('can be filtered by %o', async (filter, expected) => {
    const { app, ids } = await failedApp();
    const { total, rows } = listFailed(app.ctx, filter, { limit: 10 });
    expect(rows.map(({ job }) => job.id)).toEqual(expected.map((i) => ids[i]));
    expect(failedIds(app.ctx, filter)).toEqual(expected.map((i) => ids[i]).toReversed());
    expect(total).toBe(expected.length);
  });

  test('can be read to its end; of each group it tells the last reason, and of one job which group is its own', async () => {
    const { app, ids } = await failedApp();
    const { walk } = await FAILED.load();
    for (const direction of ['asc', 'desc'] as const) {
      const filter = { kind: null, error: null, failedAt: ANY_TIME };
      const order = { by: 'failedAt' as const, direction };
      const found: number[] = [];
      for (let past: Place | undefined; ;) {
        const [row] = walk(app.ctx, { filter, order, ownerId: null, past, limit: 1 });
        if (!row) break;
        found.push(row.job.id);
        past = placeOf(FAILED, order, row);
      }
      expect(found).toEqual(direction === 'asc' ? ids : ids.toReversed());
    }
    const errors = ['timeout', 'unreachable', 'rejected'].map((reason) => ({ reason }));
    app.ctx.db.raw.prepare('UPDATE jobs SET errors = ? WHERE id = ?').run(JSON.stringify(errors), ids[1]);
    expect(listFailedGroups(app.ctx, {}, 10).map(({ jobId, reason }) => [jobId, reason])).toEqual([
      [ids[1], 'rejected'],
      [ids[2], undefined],
    ]);
    expect(groupOf(app.ctx, ids[0])).toEqual({
      same: { kind: 'send-mail', lastError: 'the mail server answered 550' },
    });
    expect(groupOf(app.ctx, 4711)).toBeUndefined();
  });

  test.each([
    ['Anna', 'Muster', 'Anna Muster'],
    ['Anna', '', 'Anna'],
    ['', '', 'anna@example.org'],
  ])('names the customer, by the log-in name if there is no other: %s %s', async (first, last, name) => {
    const { app, ids } = await failedApp();
    const owner = await app.addUser();
    const { id, reference } = await app.addRequest(owner);
    const { raw } = app.ctx.db;
    raw
      .prepare("UPDATE users SET username = 'anna@example.org', firstName = ?, lastName = ? WHERE id = ?")
      .run(first, last, owner.id);
    raw.prepare('UPDATE jobs SET requestId = ? WHERE id = ?').run(id, ids[2]);
    expect(listFailed(app.ctx, {}, { limit: 1 }).rows).toMatchObject([
      { reference, customer: 'anna@example.org', name },
    ]);
  });

  test('counts kinds and errors', async () => {
    const { app } = await failedApp();
    expect(failedStats(app.ctx, {})).toEqual([
      { kind: 'send-mail', error: 'the mail server answered 550', count: 2 },
      { kind: 'complete-signature', error: 'Signature provider answered 500', count: 1 },
    ]);
  });

  test('shows one by its id, and only a failed one', async () => {
    const { app, ids } = await failedApp();
    expect(getFailedJob(app.ctx, ids[0])).toMatchObject({ id: ids[0], attempt: 7 });
    app.ctx.db.raw.prepare("UPDATE jobs SET state = 'completed' WHERE id = ?").run(ids[0]);
    expect(() => getFailedJob(app.ctx, ids[0])).toThrow(`There is no failed job ${ids[0]}.`);
    expect(() => getFailedJob(app.ctx, 4711)).toThrow('There is no failed job 4711.');
  });

  test('loses by remove what is failed, once, and tells the history why', async () => {
    const { app, ids } = await failedApp();
    await app.ctx.writer.write((db) =>
      enqueue(db, { kind: 'deliver-webhook', payload: { deliveryId: 1 }, now: '2030-01-01T00:00:00.000Z' }),
    );
    const waiting = app.jobs('deliver-webhook')[0]?.id as number;
    const removed = await removeFailed(app.ctx, [ids[0], waiting, 4711, ids[0]], {
      actor: TESTER,
      reason: 'sent by hand',
    });
    expect(removed).toEqual({ removed: [ids[0]], missing: [waiting, 4711, ids[0]] });
    expect(app.jobs()).toHaveLength(3);
    expect(app.ctx.db.raw.prepare('SELECT what, actor, detail FROM history').all()).toMatchObject([
      {
        what: 'job.removed',
        actor: 'user:tester@example.org',
        detail: expect.stringContaining('sent by hand'),
      },
    ]);
  });

  test('a replay continues after jobs that fail again, are not failed or not there', async () => {
    const { app, ids } = await failedApp();
    const seen: number[] = [];
    const result = await replayFailed(app.ctx, [4711, ...ids], {
      actor: TESTER,
      onResult: ({ id }) => seen.push(id),
    });
    expect(seen).toEqual([4711, ...ids]);
    expect(result).toMatchObject({ replayed: 0, failed: 4 });
    expect(result.results[0]).toMatchObject({ id: 4711, kind: null, error: 'There is no failed job 4711.' });
    expect(listFailed(app.ctx, {}, { limit: 10 }).rows).toMatchObject(
      ids.map(() => ({ job: { state: 'failed', attempt: 8, replays: 1 } })),
    );
  });

  test('an interruption ends a replay after the job under way', async () => {
    const { app, ids } = await failedApp();
    const interrupt = new AbortController();
    const { results } = await replayFailed(app.ctx, ids, {
      actor: TESTER,
      signal: interrupt.signal,
      onResult: () => interrupt.abort(),
    });
    expect(results).toHaveLength(1);
  });
});
