/** One change: rows, history, events and jobs go together, by one actor at one time. */
import { expect, test } from 'vitest';
import { change } from '../../src/core/change.js';
import { ofRequest } from '../../src/core/history/history.js';
import { REQUEST_MOVES } from '../../src/core/lifecycle.js';
import { mailJob } from '../../src/core/mail/mail-job.js';
import type { RequestRow } from '../../src/db/schema.js';
import { rejection, startApp, TESTER, type TestApp } from '../support/app.js';
import { deliveries, subscribed } from '../support/subscriptions.js';

const BY = { actor: TESTER, reason: 'a test' };
const NOW = '2026-03-02T09:14:07.250Z';
const MAIL = { mail: 'replaced-signed', contractId: 1, by: 2 } as const;

async function newRequest(): Promise<{ app: TestApp; request: RequestRow }> {
  const app = await startApp();
  const request = await app.addRequest(undefined, { status: 'new' });
  await subscribed(app, { url: 'https://hooks.example.org/' });
  return { app, request };
}

const told = (app: TestApp) =>
  deliveries(app).map(({ content }) => JSON.parse(content).data.status as string);
const written = ({ ctx }: TestApp) => ctx.db.raw.prepare('SELECT * FROM history ORDER BY id').all();

test('a request that moves writes history and publishes an event', async () => {
  const { app, request } = await newRequest();
  const { begun } = REQUEST_MOVES;
  const isMoved = await change(app.ctx, BY, (tx) => tx.moveRequest(request, begun, { reason: tx.reason }));

  expect(isMoved).toBe(true);
  expect(app.request(request.id)).toMatchObject({ status: 'in_progress', updatedAt: NOW });
  expect(written(app)).toMatchObject([
    {
      at: NOW,
      actor: 'user:tester@example.org',
      what: 'request.moved',
      requestId: request.id,
      contractId: null,
      detail: '{"from":"new","to":"in_progress","reason":"a test"}',
    },
  ]);
  expect(told(app)).toEqual(['in_progress']);
});

test('one that somebody else has moved stays, and nothing is reported', async () => {
  const { app, request } = await newRequest();
  const isMoved = await change(app.ctx, BY, (tx) => tx.moveRequest(request, REQUEST_MOVES.signed));

  expect(isMoved).toBe(false);
  expect(app.request(request.id).status).toBe('new');
  expect(written(app)).toEqual([]);
  expect(told(app)).toEqual([]);
});

test('an event is published once, with the final state', async () => {
  const { app, request } = await newRequest();
  await change(app.ctx, BY, (tx) => {
    tx.publish('request.updated', request);
    tx.moveRequest(request, REQUEST_MOVES.begun);
  });

  expect(told(app)).toEqual(['in_progress']);
});

test('all of a change has the time at which it began', async () => {
  const { app, request } = await newRequest();
  await change(app.ctx, BY, (tx) => {
    app.clock.advance(1_000);
    tx.record('request.changed', ofRequest(request.id));
    tx.enqueue(mailJob, MAIL, ofRequest(request.id));
    tx.publish('request.updated', request);
  });

  expect(written(app)).toMatchObject([{ at: NOW, detail: '{}' }]);
  expect(app.jobs()).toMatchObject([
    { kind: 'send-mail', runAt: NOW, uniqueKey: 'mail:replaced-signed:1', requestId: request.id },
    { kind: 'deliver-webhook', runAt: NOW },
  ]);
});

test('work enqueued twice is one job; enqueued again, it starts over when it has ended', async () => {
  const { app } = await newRequest();
  const owe = () => change(app.ctx, BY, (tx) => tx.enqueue(mailJob, MAIL));
  const first = await owe();
  expect(await owe()).toEqual({ ...first, isNew: false });

  app.ctx.db.raw.exec(`UPDATE jobs SET state = 'failed', attempt = 7, finishedAt = '${NOW}'`);
  await owe();
  expect(app.jobs()).toMatchObject([{ state: 'failed' }]);
  await change(app.ctx, BY, (tx) => tx.enqueueAgain(mailJob, MAIL));
  expect(app.jobs()).toMatchObject([{ state: 'available', attempt: 0 }]);
});

test('a change that throws leaves nothing: no row, no history, no event, no job', async () => {
  const { app, request } = await newRequest();
  const failing = change(app.ctx, BY, (tx) => {
    tx.moveRequest(request, REQUEST_MOVES.begun);
    tx.enqueue(mailJob, MAIL);
    throw new Error('it went wrong');
  });

  expect((await rejection(failing)).message).toBe('it went wrong');
  expect(app.request(request.id).status).toBe('new');
  expect([...written(app), ...app.jobs(), ...deliveries(app)]).toEqual([]);
});

test('a change waits for nothing: one that returns a promise is refused', async () => {
  const { app, request } = await newRequest();
  const waiting = change(app.ctx, BY, async (tx) => tx.moveRequest(request, REQUEST_MOVES.begun));

  expect((await rejection(waiting)).message).toContain('must not be async');
  expect(app.request(request.id).status).toBe('new');
});
