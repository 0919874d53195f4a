/** Renewing a payment link: when it is refused, what becomes of the old page, and who reads of it (rules 2, 5). */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { listHistory } from '../../../src/db/history/history.js';
import { rejection } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { BY, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

test('a link that is over gets a new one, the customer a mail with it, and it can be paid', async () => {
  const { app, id, page } = await story()
    .linked()
    .waits(2 * DAY)
    .end();
  const made = await renewPaymentSession(app.ctx, id, { ...BY, reason: 'was on holiday' });
  const request = app.request(id);
  expect(request).toMatchObject({ paymentId: page('newer'), paymentUrl: made?.paymentUrl });
  const told = listHistory(app.ctx.db, { requestId: id }).find(({ what }) => what === 'payment.renewed');
  expect(JSON.parse(told?.detail ?? '')).toEqual({ paymentId: page('older'), reason: 'was on holiday' });
  await story.on(app, id).drained().paid('newer').is({ status: 'COMPLETE' }).end();
  expect(app.sandbox.mails().some(({ text }) => text.includes(`/pay/${request.payToken}`))).toBe(true);
});

const words: Words = {
  /** None was ever made, and the job is gone. */
  withoutPage: (s) =>
    s
      .completed()
      .does((app) => app.ctx.db.raw.exec("DELETE FROM jobs WHERE kind = 'create-payment-session'")),
  namesReplay: (s) =>
    s.does(async (app, id) => {
      const replay = command('failed replay', app.jobs('create-payment-session')[0]?.id as number);
      expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({
        code: 'payment_creation_failed',
        hint: expect.arrayContaining([replay]) as unknown,
      });
    }),
  twoAtOnce: (s) =>
    s.does(async ({ ctx }, id) => {
      const both = [renewPaymentSession(ctx, id, BY), renewPaymentSession(ctx, id, BY)];
      const outcomes = await Promise.allSettled(both);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }),
  hasHint: (s, code, ...hint) =>
    s.does(async ({ ctx }, id) =>
      expect(await rejection(renewPaymentSession(ctx, id, BY))).toMatchObject({
        code,
        hint: expect.stringContaining(hint.join(' ')) as unknown,
      }),
    ),
};

const NONE_MADE = 'names older; told payment.renewed 0; calls payment.create 1';
table(
  `
  one is made when there has never been one
    withoutPage; renewed → names older; sessions open
  or after a payment that failed in the end
    linked; pending older; refused older → findings payment_missing: refused
    renewed → names newer; link payment_page newer
  it is refused for a page that still works, and none is made
    linked; refuses renew payment_link_works → ${NONE_MADE}
  so it is for a page that is paid
    linked; pays older; hasHint already_paid The request is now complete. → ${NONE_MADE}
  so it is for a page that is being paid
    linked; promises older; refuses renew payment_pending → ${NONE_MADE}
  so it is for a page that cannot be asked about
    linked; fault payment.get:401; refuses renew payment_unavailable → ${NONE_MADE}
  it is refused for a request that waits for no payment, as its dry run says
    sent; refusesPreview renew not_waiting_payment; refuses renew not_waiting_payment → WAITING_SIGNATURE
  or that is paid, before the provider is asked
    linked; paid older; unasked: refuses renew not_waiting_payment → COMPLETE
  a dry run only asks
    linked; waits 2d; previews renew → names older; calls payment.create 1
  a provider that fails now is tried again by the job, with one session in the end
    linked; waits 2d; fault payment.create:answer_lost:1; hasHint payment_creation_failed retried automatically
    → findings payment_job_stuck: retrying
    waits 2s; drained → names newer; sessions expired open; calls payment.create 2
  when all tries are used up, the way out is named
    withoutPage; fault payment.create:500; ${'refuses renew payment_creation_failed; '.repeat(3)}namesReplay
    → sessions none; jobs failed
  the customer who follows the link then gets a page, and the job is gone from the failed list
    linked; ends older; fault payment.create:500; ${'refuses renew payment_creation_failed; '.repeat(4)}noFaults
    → jobs failed
    drained → link payment_page newer; jobs none; told job.removed 1
  a fault of our own is not said to be one of the provider
    linked; bug getSession; breaks renew → names older
  two at once make one link
    linked; waits 2d; twoAtOnce → sessions expired open
  it is refused when the money comes while the page is made
    linked; ends older; ended older; meanwhile createSession: hears older; refuses renew already_paid → COMPLETE
  it stops when a payment is reported meanwhile: the person does not know of it
    linked; ends older; meanwhile getSession: otherAmount; refuses renew in_progress
    → told payment.renewed 0; findings payment_case: other_price`,
  { words },
);
