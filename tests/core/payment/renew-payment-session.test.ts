/** Renewing a payment link: when it is refused, what becomes of the old page, and who reads of it (rules 2, 5). */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { listHistory } from '../../../src/db/history/history.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY, SECOND } from '../../support/clock.js';
import { tell, type History } from '../../support/histories.js';
import { BY, REASON, story, type Story } from '../../support/story.js';

const renew = ({ ctx }: TestApp, id: number, changes = {}) =>
  renewPaymentSession(ctx, id, { ...BY, ...changes });
const ended = (s: Story) => s.linked().waits(2 * DAY);
/** None was ever made, and the job is gone. */
const withoutPage = (s: Story) =>
  s.completed().does((app) => app.ctx.db.raw.exec("DELETE FROM jobs WHERE kind = 'create-payment-session'"));

test('a link that is over gets a new one, the customer a mail with it, and it can be paid', async () => {
  const { app, id, page } = await ended(story()).end();
  const made = await renew(app, id, { reason: 'was on holiday' });
  const request = app.request(id);
  expect(request).toMatchObject({ paymentId: page('newer'), paymentUrl: made?.paymentUrl });
  const told = listHistory(app.ctx.db, { requestId: id }).find(({ what }) => what === 'payment.renewed');
  expect(JSON.parse(told?.detail ?? '')).toEqual({ paymentId: page('older'), reason: 'was on holiday' });
  await story.on(app, id).drained().paid('newer').is({ status: 'COMPLETE' }).end();
  expect(app.sandbox.mails().some(({ text }) => text.includes(`/pay/${request.payToken}`))).toBe(true);
});

tell([
  [
    'one is made when there has never been one',
    (s) => withoutPage(s).renewed(),
    { names: 'older', sessions: ['open'] },
  ],
  [
    'or after a payment that failed in the end',
    (s) =>
      s
        .linked()
        .pending('older')
        .refused('older')
        .is({ findings: ['payment_missing: refused'] })
        .renewed(),
    { names: 'newer', link: 'payment_page newer' },
  ],
  ...(
    [
      ['still works', (s) => s, 'payment_link_works'],
      ['is paid', (s) => s.pays('older'), 'already_paid'],
      ['is being paid', (s) => s.promises('older'), 'payment_pending'],
      ['cannot be asked about', (s) => s.fault('payment.get:401'), 'payment_unavailable'],
    ] as [string, (s: Story) => Story, string][]
  ).map(([what, happen, code]): History => [
    `it is refused for a page that ${what}, and none is made`,
    (s) => happen(s.linked()).refuses(renewPaymentSession, { code }),
    { names: 'older', told: { 'payment.renewed': 0 }, calls: { 'payment.create': 1 } },
  ]),
  [
    'it is refused for a request that waits for no payment, as its dry run says',
    (s) =>
      s.sent().does(async (app, id) => {
        for (const dryRun of [true, false])
          expect(await rejection(renew(app, id, { dryRun }))).toMatchObject({ code: 'not_waiting_payment' });
      }),
    { status: 'WAITING_SIGNATURE' },
  ],
  [
    'a dry run only asks',
    (s) => ended(s).does(async (app, id) => expect(await renew(app, id, { dryRun: true })).toBeUndefined()),
    { names: 'older', calls: { 'payment.create': 1 } },
  ],
  [
    'a provider that fails now is tried again by the job, with one session in the end',
    (s) =>
      ended(s)
        .fault('payment.create:answer_lost:1')
        .refuses(renewPaymentSession, {
          code: 'payment_creation_failed',
          hint: expect.stringContaining('retried automatically') as unknown,
        })
        .is({ findings: ['payment_job_stuck: retrying'] })
        .waits(2 * SECOND)
        .drained(),
    { names: 'newer', sessions: ['expired', 'open'], calls: { 'payment.create': 2 } },
  ],
  [
    'when all tries are used up, the way out is named',
    (s) =>
      withoutPage(s)
        .fault('payment.create:500')
        .refuses(renewPaymentSession, {})
        .refuses(renewPaymentSession, {})
        .refuses(renewPaymentSession, {})
        .does(async (app, id) => {
          const replay = command('failed replay', app.jobs('create-payment-session')[0]?.id as number);
          expect(await rejection(renew(app, id))).toMatchObject({
            code: 'payment_creation_failed',
            hint: expect.arrayContaining([replay]) as unknown,
          });
        }),
    { sessions: [], jobs: ['failed'] },
  ],
  [
    'a fault of our own is not said to be one of the provider',
    (s) =>
      s.linked().does(async (app, id) => {
        app.ctx.payment.getSession = () => Promise.reject(new Error('a bug'));
        await expect(renew(app, id)).rejects.toThrow('a bug');
      }),
    { names: 'older' },
  ],
  [
    'two at once make one link',
    (s) =>
      ended(s).does(async (app, id) => {
        const outcomes = await Promise.allSettled([renew(app, id), renew(app, id)]);
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      }),
    { sessions: ['expired', 'open'] },
  ],
  [
    'it stops when a payment is reported meanwhile: the person does not know of it',
    (s) =>
      s
        .linked()
        .ends('older')
        .meanwhile('getSession', (t) => t.otherAmount())
        .does(async ({ ctx }, id) =>
          expect(await rejection(renewPaymentSession(ctx, id, REASON))).toMatchObject({
            code: 'in_progress',
          }),
        ),
    { told: { 'payment.renewed': 0 }, findings: ['payment_case: other_price'] },
  ],
]);
