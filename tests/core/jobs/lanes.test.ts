/** No receiver waits for another one: lanes are free of each other, and slow ones leave half of the slots. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { JOB_KINDS } from '../../../src/core/jobs/kinds.js';
import { Lanes, Slots } from '../../../src/core/jobs/lanes.js';
import { publishEvent } from '../../../src/core/webhooks/events.js';
import { claimJob } from '../../../src/db/jobs/claims.js';
import { deleteJobsById } from '../../../src/db/users/erase.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { rejection } from '../../support/app.js';
import { DEAD, LIVING } from '../../support/holders.js';
import { aQueue, held, timersStandStill, until, type TestQueue } from '../../support/queue.js';
import { aReceiver, answered, silent } from '../../support/receiver.js';
import {
  attempts,
  deliveries,
  happened,
  SECRET,
  startLocal,
  subscribed,
} from '../../support/subscriptions.js';
import { enqueue } from '../../../src/core/jobs/queue.js';

const EVENTS = 30;

/** Its deliveries wait that long for an answer. */
const patient = (timeoutMs = 600_000) => startLocal({ context: { outbound: { timeoutMs } } });

/** A delivery is owed in each of these lanes. */
const owe = ({ writer, clock }: Pick<TestQueue, 'writer' | 'clock'>, lanes: readonly string[]) =>
  writer.write((db) => {
    const now = clock.now().toISOString();
    return lanes.map(
      (lane) => enqueue(db, { kind: 'deliver-webhook', payload: { deliveryId: 1 }, now, lane }).id,
    );
  });

test('3,000 due deliveries to 100 targets of which 10 hang: the 90 have all theirs although no try to the 10 ever ends', async () => {
  const app = await patient();
  const owner = await app.addUser({ role: 'ROLE_ADMIN' });
  const receivers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => aReceiver(i % 10 === 0 ? silent : answered(204))),
  );
  const now = app.clock.now().toISOString();
  await app.ctx.writer.write((db) => {
    const secret = app.ctx.outbound.secrets.seal(SECRET);
    for (const { url } of receivers) {
      insertWebhook(db, { ownerId: owner.id, url, event: 'request.updated', secret, now });
    }
    for (let id = 1; id <= EVENTS; id += 1) {
      publishEvent(db, {
        event: 'request.updated',
        about: { id, ownerId: owner.id, reference: `REQ-${id}`, status: 'new' },
        now,
      });
    }
  });

  await app.ctx.jobs.start();
  const healthy = receivers.filter((_, i) => i % 10 !== 0);
  await until(() => healthy.every(({ received }) => received.length === EVENTS));

  const idsIn = (received: { body: string }[]) =>
    received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id);
  const inOrder = Array.from({ length: EVENTS }, (_, i) => i + 1).join();
  expect(healthy.filter(({ received }) => idsIn(received).join() !== inOrder)).toEqual([]);
  const sick = receivers.filter((_, i) => i % 10 === 0);
  expect(sick.map(({ received }) => received.length)).toEqual(Array(10).fill(1));
  await app.ctx.jobs.stop(0);
});

test('customers with receivers at one origin do not wait for each other: one hangs on all lanes, the other has all deliveries', async () => {
  const app = await patient();
  const receiver = await aReceiver(({ path }, response) => {
    if (path === '/quick') response.writeHead(204).end();
  });
  const [one, other] = [await app.addUser({ role: 'ROLE_ADMIN' }), await app.addUser({ role: 'ROLE_ADMIN' })];
  for (let i = 0; i < 8; i += 1) await subscribed(app, { url: `${receiver.url}/hangs`, owner: one });
  await subscribed(app, { url: `${receiver.url}/quick`, owner: other });
  for (let id = 1; id <= 3; id += 1) await happened(app, id);

  await app.ctx.jobs.start();
  const pathsOf = () => receiver.received.map(({ path }) => path);
  await until(() => pathsOf().filter((path) => path === '/quick').length === 3);

  expect(pathsOf().filter((path) => path === '/hangs')).toHaveLength(4);
  await app.ctx.jobs.stop(0);
});

test('one lane, one job at a time; other lanes go on beside it', async () => {
  let running = 0;
  let most = 0;
  const queue = aQueue(async ({ lane }) => {
    if (lane === 'a') {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    }
    return {};
  });
  await owe(queue, ['a', 'b', 'a', 'a', 'b', 'c', 'a']);
  expect(await queue.runner.drain()).toBe(7);
  expect(most).toBe(1);
  expect(queue.db.raw.prepare('SELECT name, dueAt, running FROM lanes').all()).toEqual([
    { name: 'a', dueAt: null, running: 0 },
    { name: 'b', dueAt: null, running: 0 },
    { name: 'c', dueAt: null, running: 0 },
  ]);
});

test('a lane whose job comes while another’s is being claimed, and the next job of a lane, begin at once: no timer is needed', async () => {
  timersStandStill();
  const { handle, releases } = held();
  const queue = aQueue(handle);
  await queue.runner.start();
  await owe(queue, ['a', 'a']);
  await owe(queue, ['b']);
  await until(() => releases.length === 2);
  releases[0]?.();
  await until(() => releases.length === 3);
});

test('a lane knows its next due time through retries, removal and what a crash left behind', async () => {
  let fails = true;
  const queue = aQueue(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve({})));
  const lane = () => queue.db.raw.prepare('SELECT dueAt, running FROM lanes').get();
  const now = queue.clock.now().toISOString();
  const add = () => owe(queue, ['a']);
  const ids = await add();
  expect(lane()).toEqual({ dueAt: now, running: 0 });
  await queue.runner.drain();
  const later = new Date(queue.clock.now().getTime() + 5_000).toISOString();
  expect(lane()).toEqual({ dueAt: later, running: 0 });
  await add();
  expect(lane()).toEqual({ dueAt: now, running: 0 });
  fails = false;
  await queue.runner.drain();
  expect(lane()).toEqual({ dueAt: later, running: 0 });

  const lease = { leaseUntil: 'a', leaseToken: 'dead', leaseHolder: DEAD };
  await queue.writer.write((db) => claimJob(db, { id: ids[0] as number, ...lease }));
  expect(lane()).toEqual({ dueAt: null, running: 1 });
  await queue.runner.recover();
  expect(lane()).toMatchObject({ running: 0, dueAt: expect.any(String) });
  await queue.writer.write((db) => deleteJobsById(db, { ids }));
  expect(lane()).toEqual({ dueAt: null, running: 0 });
});

test('lanes that answered slowly have half of the slots at most', async () => {
  const held: (() => void)[] = [];
  const started: string[] = [];
  const queue = aQueue(({ lane }) => {
    started.push(lane as string);
    return lane?.startsWith('slow') ? new Promise((resolve) => held.push(() => resolve({}))) : {};
  });
  await owe(queue, [
    ...Array.from({ length: 100 }, (_, i) => `slow${i}`),
    ...Array.from({ length: 500 }, (_, i) => `quick${i % 100}`),
  ]);
  queue.db.raw.exec("UPDATE lanes SET isSlow = 1 WHERE name LIKE 'slow%'");
  await queue.runner.start();
  await until(() => started.filter((lane) => lane.startsWith('quick')).length === 500);
  expect(started.filter((lane) => lane.startsWith('slow')).length).toBeLessThanOrEqual(32);
  for (let freed = 0; freed < 100;) {
    await until(() => held.length > 0);
    for (const release of held.splice(0)) {
      release();
      freed += 1;
    }
  }
  await queue.runner.idle();
});

test('a lane that took long is slow until it answers quickly again', async () => {
  const app = await patient(1_050);
  const receiver = await aReceiver(silent);
  await subscribed(app, { url: receiver.url });
  const isSlow = () =>
    (app.ctx.db.raw.prepare('SELECT isSlow FROM lanes').get() as { isSlow: number }).isSlow;
  await happened(app);
  await app.drain();
  expect([attempts(app)[0]?.outcome, isSlow()]).toEqual(['timeout', 1]);
  receiver.answer = answered(204);
  app.clock.advance(5_000);
  await app.drain();
  expect([deliveries(app)[0]?.state, isSlow()]).toEqual(['delivered', 0]);
});

const LEASE = { leaseToken: 'token', leaseHolder: LIVING, leaseUntil: '2026-03-02T11:00:00.000Z' };

/** One due job in each of these lanes; those called slow… took long the last time. */
async function dueInLanes(...names: string[]) {
  const queue = aQueue();
  const { db, writer } = queue;
  const now = queue.clock.now().toISOString();
  await owe(queue, names);
  db.raw.exec("UPDATE lanes SET isSlow = 1 WHERE name LIKE 'slow%'");
  const claim = (lanes: Lanes, limit: number, fault?: Error) =>
    writer.write((unit) => {
      const claimed = lanes.claim(unit, { ...LEASE, now, limit });
      if (fault) throw fault;
      return claimed;
    });
  return { db, claim };
}

test('of four slots, slow lanes take two, and the others wait for their end; a claim that is undone takes none', async () => {
  const { claim } = await dueInLanes('slow1', 'slow2', 'slow3', 'slow4');
  const lanes = new Lanes(4);
  const due = { quickLane: null, slowLane: '2026-03-02T10:00:00.000Z' };
  expect(lanes.nextDueAt(due)).toBe(due.slowLane);
  await rejection(claim(lanes, 4, new Error('undone')));
  const [first, ...others] = await claim(lanes, 4);
  expect(others).toHaveLength(1);
  expect(lanes.nextDueAt(due)).toBeUndefined();
  expect(await claim(lanes, 2)).toEqual([]);
  if (first) lanes.end(first);
  expect(lanes.nextDueAt(due)).toBe(due.slowLane);
  expect((await claim(lanes, 3)).map(({ lane }) => lane)).toEqual(['slow3']);
});

test('a single slot is for slow lanes too, after the quick ones', async () => {
  const { claim } = await dueInLanes('slow', 'quick');
  const lanes = new Lanes(1);
  expect((await claim(lanes, 1)).map(({ lane }) => lane)).toEqual(['quick']);
  expect((await claim(lanes, 1)).map(({ lane }) => lane)).toEqual(['slow']);
});

test('a second is not yet slow', async () => {
  const { db, claim } = await dueInLanes('lane');
  const lanes = new Lanes(2);
  const [job] = await claim(lanes, 1);
  const isSlow = () => db.raw.prepare('SELECT isSlow FROM lanes').pluck().get();
  if (job) lanes.settle(db, job, 1_001);
  expect(isSlow()).toBe(1);
  if (job) lanes.settle(db, job, 1_000);
  expect(isSlow()).toBe(0);
});

test('each kind has slots of its own', () => {
  const slots = new Slots({ 'send-mail': 1 });
  const free = () => JOB_KINDS.filter(({ name }) => slots.free(name) > 0).map(({ name }) => name);
  const all = JOB_KINDS.map(({ name }) => name);
  expect(free()).toEqual(all);
  slots.take('send-mail');
  expect(free()).toEqual(all.filter((name) => name !== 'send-mail'));
  slots.release('send-mail');
  expect(free()).toEqual(all);
});

test('a slot reserved by a commit is counted once, until it is taken or the commit is rolled back', async () => {
  const slots = new Slots({ 'send-mail': 3 });
  slots.reserve('send-mail', 1);
  slots.reserve('send-mail', 1);
  expect(slots.free('send-mail')).toBe(1);
  slots.take('send-mail');
  expect(slots.free('send-mail')).toBe(1);
  await nextTurn();
  expect(slots.free('send-mail')).toBe(2);
  slots.reserve('send-mail', 2);
  expect(slots.free('send-mail')).toBe(0);
  await nextTurn();
  expect(slots.free('send-mail')).toBe(2);
  slots.take('send-mail');
  slots.release('send-mail');
  expect(slots.free('send-mail')).toBe(2);
});
