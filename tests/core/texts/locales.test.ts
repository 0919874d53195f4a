/** Everybody reads in their own language: mails, contract, the providers' pages, and the payment link. */
import { expect, test } from 'vitest';
import { readTerms } from '../../../src/core/contracts/terms.js';
import { createApp } from '../../../src/server/app.js';
import { setProfile } from '../../../src/db/users/users.js';
import type { UserRow } from '../../../src/db/schema.js';
import type { TestApp } from '../../support/app.js';
import { story } from '../../support/story.js';
import { deliverPayment } from '../../support/webhooks.js';

const speaksFrench = ({ ctx }: TestApp, user: UserRow) =>
  ctx.writer.write((db) => setProfile(db, { ...user, locale: 'fr', now: ctx.clock.now().toISOString() }));

test('the customer’s mails, contract and payment page are in the customer’s language, the office’s in that of the settings', async () => {
  const { app, waiting } = await story().completed().end();
  const { owner, request } = waiting;
  await speaksFrench(app, owner);

  await app.drain();

  const texts = (recipient: string) =>
    app.sandbox
      .mails()
      .filter(({ source, to }) => source === 'smtp' && to.includes(recipient))
      .map(({ text }) => text.split(/[ ,]/)[0]);
  expect(texts(owner.username)).toEqual(['Bonjour', 'Bonjour']);
  expect(texts('office@acme.test')).toEqual(['Hello']);
  expect(readTerms(app.ctx, app.ctx.db, request.id).wording.locale).toBe('fr');
});

test('the payment link answers in the customer’s language; a link that is not known, or is no longer, tells nobody’s', async () => {
  const { app, waiting } = await story().completed().end();
  await speaksFrench(app, waiting.owner);
  await app.drain();
  const { payToken, paymentId } = app.request(waiting.request.id);
  app.sandbox.pay(paymentId as string);
  await deliverPayment(app, paymentId as string);
  const server = createApp(app.ctx);
  const languageOf = async (token: string) => {
    const peer = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
    const answer = await server.request(`/pay/${token}`, {}, peer);
    return /<html lang="(\w+)"/.exec(await answer.text())?.[1];
  };

  expect(await languageOf(payToken as string)).toBe('fr');
  expect(await languageOf('0'.repeat(32))).toBe('en');
});
