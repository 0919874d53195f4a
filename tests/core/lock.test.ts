/** Work at a provider runs once at a time: the lock, its holder's death, and what is left of it. */
import { expect, test } from 'vitest';
import { withLock } from '../../src/core/lock.js';
import { findLock, putLock } from '../../src/db/installation/installation.js';
import { rejection, startApp, type TestApp } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { DEAD, LIVING, named } from '../support/holders.js';

const work = async () => 'done';
const hold = (app: TestApp, holder: string) =>
  putLock(app.ctx.db, {
    name: 'one',
    token: 'theirs',
    holder,
    until: new Date(app.clock.now().getTime() + 5 * MINUTE).toISOString(),
  });

test('gives what the work gives, and leaves no lock behind', async () => {
  const { ctx } = await startApp();
  expect(await withLock(ctx, 'one', work)).toBe('done');
  expect(findLock(ctx.db, { name: 'one' })).toBeUndefined();
});

test('leaves none behind when the work fails either', async () => {
  const { ctx } = await startApp();
  const failing = withLock(ctx, 'one', () => Promise.reject(new Error('no')));
  expect((await rejection(failing)).message).toBe('no');
  expect(findLock(ctx.db, { name: 'one' })).toBeUndefined();
});

test('of calls at the same time one works, the others are asked to wait; another name is not affected', async () => {
  const { ctx } = await startApp();
  const calls = [withLock(ctx, 'one', work), withLock(ctx, 'one', work), withLock(ctx, 'two', work)];
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ kind: 'busy', code: 'in_progress' });
});

test('is refused while another living process holds it, until its time is over', async () => {
  const app = await startApp();
  hold(app, LIVING);
  expect(await rejection(withLock(app.ctx, 'one', work))).toMatchObject({ code: 'in_progress' });
  app.clock.advance(5 * MINUTE);
  expect(await withLock(app.ctx, 'one', work)).toBe('done');
});

test('held by a process that died is free at once', async () => {
  const app = await startApp();
  hold(app, DEAD);
  expect(await withLock(app.ctx, 'one', work)).toBe('done');
});

test('held by a dead process that had the number of this one is free at once', async () => {
  const app = await startApp();
  hold(app, named({ startedAt: 1 }));
  expect(await withLock(app.ctx, 'one', work)).toBe('done');
});

test('that another call has taken over meanwhile is not taken away from it, and the late holder stores nothing', async () => {
  const app = await startApp();
  await withLock(app.ctx, 'one', async ({ writer }) => {
    hold(app, LIVING);
    expect(await rejection(writer.write(() => 'late'))).toMatchObject({ code: 'in_progress' });
  });
  expect(findLock(app.ctx.db, { name: 'one' })).toMatchObject({ token: 'theirs' });
});

test('that cannot be released does not undo the work, and does not stay', async () => {
  const app = await startApp();
  const { raw } = app.ctx.db;
  raw.exec("CREATE TEMP TRIGGER stuck BEFORE DELETE ON locks BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  expect(await withLock(app.ctx, 'one', work)).toBe('done');
  raw.exec('DROP TRIGGER stuck');
  expect(await withLock(app.ctx, 'one', work)).toBe('done');
});

test('whoever works under it hears of commits and failures, and of what refuses them, as everybody does', async () => {
  const { ctx } = await startApp();
  await withLock(ctx, 'one', async ({ writer }) => {
    const heard: unknown[] = [];
    writer.onCommit('work', () => heard.push('commit'));
    writer.onFailure((error) => heard.push(error));
    void writer.write((db) => db.announce('work'));
    await writer.idle();
    const no = new Error('no');
    writer.refuseWhile(() => no);
    expect(await rejection(writer.write(() => 'refused'))).toBe(no);
    expect([writer.refusal(), heard]).toEqual([no, ['commit', no]]);
    writer.refuseWhile(() => undefined);
  });
});
