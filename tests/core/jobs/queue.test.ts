/** What puts jobs into the table: once for a key, with the change that owes them, claimed at once if there is a slot. */
import { expect, test, vi } from 'vitest';
import { change } from '../../../src/core/change.js';
import { dropJob, enqueue, enqueueAgain } from '../../../src/core/jobs/queue.js';
import { kindOf } from '../../../src/core/jobs/kinds.js';
import { openDb } from '../../../src/db/open.js';
import { deleteHold, putHold } from '../../../src/db/installation/installation.js';
import type { JobRow } from '../../../src/db/schema.js';
import { rejection, TESTER } from '../../support/app.js';
import { LIVING, OURS } from '../../support/holders.js';
import {
  aQueue,
  asleep,
  FAIL,
  held,
  takeAway,
  timersStandStill,
  told,
  turnsPass,
  until,
  type TestQueue,
} from '../../support/queue.js';

const NOW = '2026-03-02T09:14:07.250Z';
const WORK = {
  kind: 'create-payment-session',
  payload: { requestId: 1, contractId: 1 },
  uniqueKey: 'one',
} as const;

test('work with the same key is added once, also when it has ended; a kind that nobody knows is a fault', async () => {
  const queue = aQueue();
  const add = (payload: object) => queue.writer.write((db) => enqueue(db, { ...WORK, payload, now: NOW }));
  const first = await add({ n: 1 });
  const again = { ...first, isNew: false };
  expect([first.isNew, await add({ n: 2 })]).toEqual([true, again]);
  await queue.runner.drain();
  expect(await add({})).toEqual(again);
  expect(queue.job(first.id)).toMatchObject({ state: 'completed', payload: '{"n":1}' });
  expect(() => kindOf({ kind: 'dance' })).toThrow('there is no kind of job called dance');
});

test('enqueueAgain restarts one that has ended, with all its attempts, and leaves one that runs', async () => {
  const queue = aQueue(FAIL);
  const again = () =>
    queue.writer.write((db) => enqueueAgain(db, { ...WORK, now: queue.clock.now().toISOString() }));
  const { id } = await again();
  for (let i = 0; i < 4; i += 1) {
    await queue.runner.drain();
    queue.clock.advance(4_000);
  }
  expect(queue.job(id).state).toBe('failed');
  await again();
  expect(queue.job(id)).toMatchObject({ state: 'available', attempt: 0, finishedAt: null });
  takeAway(queue, LIVING, 'create-payment-session');
  await again();
  expect(queue.job(id).state).toBe('running');
});

test('work whose transaction fails is not owed', async () => {
  const queue = aQueue();
  const unit = queue.writer.write((db) => {
    enqueue(db, { ...WORK, now: NOW });
    throw new Error('undone');
  });
  await rejection(unit);
  expect(queue.db.raw.prepare('SELECT * FROM jobs').all()).toEqual([]);
});

test.each<['available' | 'failed' | 'running', object[]]>([
  ['available', []],
  ['failed', [{ jobId: 1, kind: 'send-mail', lastError: 'it went wrong', reason: 'renewed' }]],
  ['running', []],
])('a job that is dropped while %s; the history tells of a failed one', async (state, details) => {
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
  expect(told(queue)).toEqual(details);
});

const WITHOUT_KEY = { kind: 'create-payment-session', payload: {}, now: NOW } as const;

const states = ({ db }: TestQueue) => db.raw.prepare('SELECT state FROM jobs ORDER BY id').pluck().all();

/** By a runner that runs, whose jobs end when the test says so. */
async function begun() {
  const { handle, releases } = held();
  const queue = aQueue(handle);
  await queue.runner.start();
  return { queue, releases };
}

test('what a running runner has a slot for is stored as claimed, and begins after that commit', async () => {
  const { queue, releases } = await begun();
  const updates: string[] = [];
  queue.db.raw.function('told', (state) => void updates.push(String(state)));
  queue.db.raw.exec('CREATE TEMP TRIGGER claimed AFTER UPDATE ON jobs BEGIN SELECT told(new.state); END');
  const id = await queue.add('create-payment-session');
  expect(queue.job(id)).toMatchObject({ state: 'running', attempt: 1, leaseHolder: OURS });
  releases[0]?.();
  await queue.runner.idle();
  expect([queue.job(id).state, updates]).toEqual(['completed', ['completed']]);
});

test.each<[string, Partial<Parameters<typeof enqueue>[1]>]>([
  ['is due later', { runAt: '2026-03-02T09:14:07.251Z' }],
  ['is in a lane', { kind: 'deliver-webhook', lane: 'one' }],
])('what %s is not', async (_, changes) => {
  const { queue } = await begun();
  const state = await queue.writer.write(
    (db) => enqueue(db, { ...WITHOUT_KEY, ...changes }) && states(queue),
  );
  expect(state).toEqual(['available']);
});

test('each of a commit takes a slot of its own, the others wait; what is rolled back takes none and never begins', async () => {
  const { queue, releases } = await begun();
  const later = { ...WITHOUT_KEY, runAt: '2026-03-02T09:14:07.251Z' };
  const { id } = await queue.writer.write((db) => enqueue(db, later));
  const tried = queue.runner.runNow(id);
  await until(() => releases.length === 1);
  releases.splice(0).forEach((release) => release());
  await tried;
  const inOneCommit = (isUndone: boolean) =>
    Promise.allSettled(
      Array.from({ length: 12 }, () =>
        queue.writer.write((db) => {
          enqueue(db, WITHOUT_KEY);
          if (isUndone) throw new Error('undone');
        }),
      ),
    );
  await inOneCommit(true);
  expect([states(queue), releases]).toEqual([['completed'], []]);
  await inOneCommit(false);
  expect(states(queue)).toEqual([
    'completed',
    ...Array<string>(8).fill('running'),
    ...Array<string>(4).fill('available'),
  ]);
  expect(releases).toHaveLength(8);
});

test('what is new waits behind those that are due, also when a slot is freed', async () => {
  const { queue, releases } = await begun();
  const ids = await Promise.all(Array.from({ length: 10 }, () => queue.add('create-payment-session')));
  releases[0]?.();
  ids.push(await queue.add('create-payment-session'));
  await until(() => releases.length === 9);
  const waiting = () => ids.filter((id) => queue.job(id).state === 'available');
  expect(waiting()).toEqual(ids.slice(9));
  releases.splice(0).forEach((release) => release());
  await until(() => waiting().length === 0);
  const next = await queue.add('create-payment-session');
  expect(queue.job(next).state).toBe('running');
});

test('who has enqueued it can run it and hear what comes of it, whether the runner runs or not', async () => {
  const queue = aQueue();
  for (const key of ['one', 'two']) {
    const claimed = await queue.writer.write((db) =>
      queue.runner.claimHere(db, enqueueAgain(db, { ...WORK, uniqueKey: key, now: NOW })),
    );
    expect(claimed).toMatchObject({ uniqueKey: key, state: 'running', attempt: 1, leaseHolder: OURS });
    expect(queue.job(claimed?.id as number)).toEqual(claimed);
    expect(await queue.runner.run(claimed as JobRow)).toMatchObject({ state: 'completed' });
    expect(queue.log.map(({ msg }) => msg)).toEqual(['job done']);
    queue.log.splice(0);
    await queue.runner.start();
  }
});

test('a job whose number another was stored with, whose unit was undone, is claimed itself', async () => {
  const { queue } = await begun();
  const undone = queue.writer.write((db) => {
    enqueue(db, WITHOUT_KEY);
    throw new Error('undone');
  });
  const claimed = queue.writer.write((db) => {
    const later = { ...WITHOUT_KEY, kind: 'send-mail', runAt: '2026-03-02T09:14:07.251Z' };
    return queue.runner.claimHere(db, enqueue(db, later));
  });
  await rejection(undone);
  expect(await claimed).toMatchObject({ id: 1, kind: 'send-mail' });
});

test('a job that a unit takes over from an earlier one of the commit begins all the same if that unit is undone', async () => {
  const { queue, releases } = await begun();
  const id = queue.add('create-payment-session', { uniqueKey: 'one' });
  const undone = queue.writer.write((db) => {
    expect(queue.runner.claimHere(db, enqueueAgain(db, { ...WORK, now: NOW }))).toMatchObject({ id: 1 });
    throw new Error('undone');
  });
  expect((await rejection(undone)).message).toBe('undone');
  expect([queue.job(await id).state, releases.length]).toEqual(['running', 1]);
});

const claimHere = (queue: TestQueue) =>
  queue.writer.write((db) => {
    const job = enqueueAgain(db, { ...WORK, now: NOW });
    return { id: job.id, claimed: queue.runner.claimHere(db, job) };
  });

test('one that has ended is claimed again; one that runs is not', async () => {
  const queue = aQueue();
  const { id, claimed } = await claimHere(queue);
  expect((await claimHere(queue)).claimed).toBeUndefined();
  await queue.runner.run(claimed as JobRow);
  expect(await claimHere(queue)).toMatchObject({ id, claimed: { id, attempt: 1 } });
});

test('it waits when all places are taken, and when the program stops', async () => {
  const { handle } = held();
  const queue = aQueue(handle);
  const ids = await Promise.all(Array.from({ length: 8 }, () => queue.add('create-payment-session')));
  for (const id of ids) void queue.runner.runNow(id);
  await until(() => ids.every((id) => queue.job(id).state === 'running'));
  const { id, claimed } = await claimHere(queue);
  expect([claimed, queue.job(id).state]).toEqual([undefined, 'available']);

  const stopped = aQueue();
  await stopped.runner.start();
  await stopped.runner.stop();
  expect((await claimHere(stopped)).claimed).toBeUndefined();
});

test('it takes no slot that a claim of the same commit has taken', async () => {
  const queue = aQueue();
  for (let n = 0; n < 8; n += 1) await queue.add('create-payment-session');
  const drained = queue.runner.drain();
  expect((await claimHere(queue)).claimed).toBeUndefined();
  expect(await drained).toBe(9);
});

test('it waits while the data are held, as all others do, until they are let go', async () => {
  timersStandStill();
  const queue = aQueue();
  const waiting = await queue.add();
  await queue.writer.write((db) => putHold(db, { since: NOW, madeAt: NOW, lastJobId: 0 }));
  await queue.runner.start();
  const { id, claimed } = await claimHere(queue);
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
