/** What to answer a customer who asks (rules 10): three sentences, true now, in the customer's words. */
import { describe, expect, test } from 'vitest';
import { replyAbout } from '../../../src/core/explain/explain.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { label, sayIn, TEXTS } from '../../../src/core/texts/index.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { story } from '../../support/story.js';
import { deliverPayment } from '../../support/webhooks.js';

const KEYS = Object.keys(TEXTS).filter((key) => key.startsWith('reply.'));
const FILLED = {
  title: 'Boiler',
  reference: 'REQ-2026-000001',
  date: '2 March',
  amount: '€1',
  link: 'https://x.test/pay',
};
const OURS =
  /contract \d|signId|paymentId|webhook|esignctl|WAITING_|PENDING|EXPIRED|job|provider|prestataire|%/i;

describe.each(['en', 'fr'] as const)('in %s', (locale) => {
  test.each(KEYS)('%s has three sentences and none of our own words', (key) => {
    const reply = label(sayIn(locale), key, '', FILLED);
    expect(reply.split(/[.!?](?= |$)|(?<=\/pay)$/).filter((part) => part.trim() !== '')).toHaveLength(3);
    expect(reply).toContain('Boiler');
    expect(reply).not.toMatch(OURS);
  });
});

const replyOf = (app: TestApp, id: number) => replyAbout(app.ctx, app.request(id));

test('it follows the request from the first mail to the payment', async () => {
  const app = await startApp();
  const asked = await app.addRequest();
  expect(await replyOf(app, asked.id)).toContain('We are preparing the contract');

  const { request, signId } = await app.waitingRequest();
  const { id } = request;
  expect(await replyOf(app, id)).toMatch(/waiting for your signature\. You can sign it until \d+ \w+ 2026 /);
  // Signed, and nobody has told us yet: the provider is asked.
  app.sandbox.sign(signId);
  expect(await replyOf(app, id)).toContain('We have received your signature');

  await checkSignature(app.ctx, id, { actor: TESTER });
  await app.drain();
  const { payToken, paymentId } = app.request(id);
  expect(await replyOf(app, id)).toMatch(
    new RegExp(`is still outstanding\\. You can pay here at any time: \\S+/pay/${payToken}$`),
  );
  app.clock.advance(2 * DAY);
  expect(await replyOf(app, id)).toContain(`/pay/${payToken}`);

  await deliverPayment(app, paymentId as string);
  expect(await replyOf(app, id)).toContain('is signed and paid');
});

test('after a reset it says that earlier links do not work any more', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  await resetSignature(app.ctx, request.id, { actor: TESTER });
  expect(await replyOf(app, request.id)).toMatch(/earlier links no longer work.* newest e-mail/);
});

test('it tells what a customer can do after declining, and that a canceled request is over', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.decline(signId, { reason: 'Too dear' });
  await checkSignature(app.ctx, request.id, { actor: TESTER });
  const declined = await replyOf(app, request.id);
  expect(declined).toContain('If you did not mean to decline, tell us');
  // The customer's own words are not said back.
  expect(declined).not.toContain('Too dear');
  await cancelRequest(app.ctx, request.id, { actor: TESTER, reason: 'agreed by phone' });
  const canceled = await replyOf(app, request.id);
  expect(canceled).toContain('There is nothing left to sign or to pay.');
  expect(canceled).not.toContain('agreed by phone');
});

test('a provider that cannot be asked makes it careful; trouble of receivers and mails is not the customer’s', async () => {
  const { app, id } = await story({ env: { ESIGN_LOCALE: 'fr' } })
    .completed()
    .end();
  app.sandbox.faults.add('smtp:550');
  await app.drain();
  expect(await replyOf(app, id)).toMatch(
    /^Votre contrat pour la demande «\u00a0.*Vous pouvez payer à tout moment ici\u00a0: http/,
  );
  app.sandbox.faults.add('payment:500');
  expect(await replyOf(app, id)).toContain('nous ne pouvons pas dire avec certitude');
});
