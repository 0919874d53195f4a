/** What puts jobs into the table: once for a key, with the change that owes them, claimed at once if there is a slot. */
import { expect, test, vi } from 'vitest';
import { change } from '../../../src/core/change.js';
import { dropJob, enqueue, enqueueAgain } from '../../../src/core/jobs/queue.js';
import { kindOf } from '../../../src/core/jobs/kinds.js';
import { openDb } from '../../../src/db/open.js';
import { deleteHold, putHold } from '../../../src/db/installation/installation.js';
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

const enqueueHere = (queue: TestQueue) =>
  queue.writer.write((db) => queue.runner.enqueueHere(db, { ...WORK, now: NOW }));

test('a job enqueued to run here is stored as claimed, and again when it has ended', async () => {
  const queue = aQueue();
  const { id, claimed } = await enqueueHere(queue);
  expect(queue.job(id)).toEqual(claimed);
  expect(claimed).toMatchObject({ state: 'running', attempt: 1, leaseHolder: OURS });
  expect((await enqueueHere(queue)).claimed).toBeUndefined();
  expect(await queue.runner.run(claimed as never)).toMatchObject({ state: 'completed' });
  expect(await enqueueHere(queue)).toMatchObject({ id, claimed: { id, attempt: 1 } });
});

test('it waits when all places are taken, and when the program stops', async () => {
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

test('it takes a slot of its own among others of the same commit; what is rolled back takes none', async () => {
  const { handle } = held();
  const queue = aQueue(handle);
  const begin = async (n: number, isUndone: boolean) => {
    const claimed = await queue.writer.write((db) => {
      const work = { ...WORK, uniqueKey: `of ${n}`, now: NOW };
      const { claimed: row } = queue.runner.enqueueHere(db, work);
      if (isUndone) throw new Error('undone');
      return row;
    });
    if (claimed) void queue.runner.run(claimed);
  };
  const inOneCommit = (isUndone: boolean) =>
    Promise.allSettled(Array.from({ length: 12 }, (_, n) => begin(n, isUndone)));
  const states = () => queue.db.raw.prepare('SELECT state FROM jobs ORDER BY id').pluck().all();

  await inOneCommit(true);
  expect(states()).toEqual([]);
  await inOneCommit(false);
  expect(states()).toEqual([...Array<string>(8).fill('running'), ...Array<string>(4).fill('available')]);
});

test('it takes no slot that a claim of the same commit has taken', async () => {
  const queue = aQueue();
  for (let n = 0; n < 8; n += 1) await queue.add('create-payment-session');
  const drained = queue.runner.drain();
  expect((await enqueueHere(queue)).claimed).toBeUndefined();
  expect(await drained).toBe(9);
});

test('it waits while the data are held, as all others do, until they are let go', async () => {
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
