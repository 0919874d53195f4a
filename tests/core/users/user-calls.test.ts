/** The calls of each user in an hour (rules 6): kept in memory, and stored so that a restart forgets none. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { UserCalls } from '../../../src/core/users/user-calls.js';
import { startApi } from '../../server/support.js';
import { HOUR } from '../../support/clock.js';

const ANNA = 'anna@example.org';

test('counts are stored once for many calls; what is over is dropped', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  const stored = () => app.ctx.db.raw.prepare('SELECT userId, count FROM userCalls').all();
  const calls = new UserCalls(app.ctx, 1000);

  for (let i = 0; i < 40; i += 1) calls.take(1);
  expect(stored()).toEqual([]);
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 40 }]);
  calls.take(1);
  await calls.store();
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 41 }]);

  app.clock.advance(HOUR);
  calls.take(1);
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 1 }]);
});

test('counts are stored five seconds after the first new one, by themselves; refused calls are none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = startApi();
  await app.addUser(ANNA);
  const stored = () => app.ctx.db.raw.prepare('SELECT count FROM userCalls').pluck().all();
  const calls = new UserCalls(app.ctx, 2);
  const after = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await app.ctx.writer.idle();
    return stored();
  };

  calls.take(1);
  expect(calls.isFull(1)).toBe(false);
  expect(await after(4_000)).toEqual([]);
  calls.take(1);
  expect(calls.isFull(1)).toBe(true);
  expect(await after(1_000)).toEqual([2]);

  calls.take(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('counts that are stored before their time are not stored again at it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = startApi();
  await app.addUser(ANNA);
  const calls = new UserCalls(app.ctx, 2);
  calls.take(1);
  expect(vi.getTimerCount()).toBe(1);
  await calls.store();
  expect(vi.getTimerCount()).toBe(0);
});

test('counts that cannot be stored are said in the log, and stored the next time, once', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  const calls = new UserCalls(app.ctx, 1000);
  const storeOn = async (isFull: boolean) => {
    app.ctx.db.raw.pragma(`query_only = ${isFull}`);
    await calls.store();
  };
  const said = () => app.logged().filter(({ msg }) => msg === 'the counts of calls could not be stored');
  calls.take(1);
  await storeOn(true);
  app.clock.advance(1);
  await storeOn(false);
  // There is nothing new.
  await storeOn(true);

  expect(said()).toMatchObject([{ error: 'attempt to write a readonly database' }]);
  expect(new UserCalls(app.ctx, 1000).take(1).remaining).toBe(998);
});

test('counts of a time to come, left by a clock set back, lock nobody out', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  app.clock.advance(10 * HOUR);
  const calls = new UserCalls(app.ctx, 1);
  calls.take(1);
  await calls.store();
  app.clock.advance(-10 * HOUR);

  expect(new UserCalls(app.ctx, 1).take(1).isWithin).toBe(true);
});
