/** The time line of a request: everything that happened to it, in order. */
import { expect, test } from 'vitest';
import { readCaseFile } from '../../../src/core/explain/case-file.js';
import { explain } from '../../../src/core/explain/explain.js';
import { recentTimeline } from '../../../src/core/explain/timeline.js';
import { answerOffer, enterOffer } from '../../../src/core/offers/offers.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { lengthenHistory } from '../../support/long-history.js';
import { deliver, deliverPayment, deliverRaw, eventBody, sign } from '../../support/webhooks.js';

const timelineOfRequest = (app: TestApp, requestId: number) =>
  recentTimeline(app.ctx, readCaseFile(app.ctx, app.request(requestId))).timeline;

const words = (app: TestApp, requestId: number) => timelineOfRequest(app, requestId).map(({ what }) => what);

test('the time line tells a whole story in order: sent, signed by webhook, paid', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.clock.advance(MINUTE);
  app.sandbox.sign(signId);
  await deliver(app, signId);
  // A busy machine takes longer than the caller waits.
  await app.ctx.jobs.idle();
  app.clock.advance(MINUTE);
  await app.drain();
  app.clock.advance(MINUTE);
  await deliverPayment(app, app.request(request.id).paymentId as string);

  const told = words(app, request.id);
  expect(told.slice(0, 7)).toEqual([
    'contract.created',
    'contract.sent',
    'request.moved',
    'webhook.received',
    'contract.signed',
    'request.moved',
    'job.completed',
  ]);
  expect(told.slice(7, 11).toSorted()).toEqual([
    'mail.sent',
    'mail.sent',
    'mail.sent',
    'payment.session_created',
  ]);
  // The mails to customer and office about it are still to be sent.
  expect(told.slice(11)).toEqual([
    'webhook.received',
    'payment.received',
    'request.moved',
    'job.waiting',
    'job.waiting',
  ]);
  const entries = timelineOfRequest(app, request.id);
  const times = entries.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(entries[5]).toMatchObject({
    actor: 'job',
    message: 'Status changed from “Waiting for signature” to “Waiting for payment”',
  });
  expect(entries.map(({ message }) => message).join('\n')).not.toMatch(/%\w+%|undefined/);
});

test('the time line of a long story shows what happened of late, also what came after the clock was set back', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  lengthenHistory(app.ctx.db, { requestId: request.id, by: 300 });
  app.clock.advance(-HOUR);
  await cancelRequest(app.ctx, request.id, { actor: TESTER, reason: 'sold' });

  expect(words(app, request.id)).toContain('contract.ended');
});

test('the time line shows a forged delivery that names the signId, with the reason, and one that is about nothing of ours does not appear', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  const body = eventBody(app, signId);
  await deliverRaw(app, body, sign(body, 'the secret of last year'));
  await deliverRaw(app, eventBody(app, 'another-sign-id-0001'), 'sha256=00');

  const rejected = timelineOfRequest(app, request.id).filter(({ what }) => what === 'webhook.rejected');

  expect(rejected).toHaveLength(1);
  expect(rejected[0]).toMatchObject({ level: 'trouble', actor: 'provider' });
  expect(rejected[0]?.message).toContain('its signature is wrong (from 192.0.2.7');
});

test('what a provider says now stands after what has happened, and before the try to come', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.faults.add('payment:500');
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const { timeline } = await explain(app.ctx, request.reference);
  expect(timeline.slice(-3).map(({ what }) => what)).toEqual([
    'job.try_failed',
    'signature.asked',
    'job.waiting',
  ]);
});

test('the time line shows each try of a job with its error, the end of its tries, and the replay with its reason', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.faults.add('payment:500');
  app.sandbox.sign(signId);
  await deliver(app, signId);
  for (let i = 0; i < 4; i += 1) {
    await app.drain();
    app.clock.advance(10_000);
  }

  const tries = timelineOfRequest(app, request.id).filter(
    ({ what, jobId }) => jobId && /^job\.(try_)?failed$/.test(what),
  );

  expect(tries.map(({ message }) => message)).toEqual([
    'Failed, to be tried again: payment page',
    'Failed, to be tried again: payment page',
    'Failed, to be tried again: payment page',
    'Failed for good: payment page',
  ]);
  expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(tries.every(({ note }) => note?.includes('payment provider answered 500'))).toBe(true);
});

test('the time line goes on across a reset: both contracts, and the reason a person gave', async () => {
  const app = await startApp();
  const { request, contract } = await app.waitingRequest();
  app.clock.advance(MINUTE);
  await resetSignature(app.ctx, request.id, { actor: TESTER, reason: 'wrong address' });

  const entries = timelineOfRequest(app, request.id);
  const second = app.contract(request.id).id;

  expect(entries.find(({ what }) => what === 'contract.ended')).toMatchObject({
    contractId: contract.id,
    note: 'wrong address',
    actor: 'user:tester@example.org',
  });
  expect(new Set(entries.map(({ contractId }) => contractId))).toEqual(new Set([contract.id, second]));
});

test('the time line shows what only a date brought: the end of the link, then of the time to sign', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  app.clock.advance(3 * DAY);
  expect(words(app, request.id).at(-1)).toBe('date.sign_link');
  app.clock.advance(30 * DAY);
  expect(words(app, request.id).at(-1)).toBe('date.sign_before');
});

test('a waiting job is shown at the time of its next attempt; one long overdue is shown as such', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  app.clock.advance(MINUTE);

  const waiting = timelineOfRequest(app, request.id).filter(({ what }) => what === 'job.waiting');

  expect(waiting).toHaveLength(3);
  expect(waiting[0]?.message).toContain('Overdue');
});

test('the time line speaks the language of the settings', async () => {
  const app = await startApp({ env: { ESIGN_LOCALE: 'fr' } });
  const { request } = await app.waitingRequest();
  expect(timelineOfRequest(app, request.id)[0]?.message).toBe(
    `Contrat ${app.contract(request.id).id} établi`,
  );
  const offer = await enterOffer(app.ctx, { requestId: request.id, amount: '150' }, { actor: TESTER });
  await answerOffer(app.ctx, offer.id, 'refused', { actor: TESTER });
  expect(timelineOfRequest(app, request.id).map(({ message }) => message)).toContain(
    `Offre ${offer.reference} modifiée, maintenant «\u00a0Refusée\u00a0»`,
  );
});
