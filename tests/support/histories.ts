/** Who can bring the news, and what a list includes. */
import { expect } from 'vitest';
import type { Context } from '../../src/core/context.js';
import { checkAllPayments } from '../../src/core/payment/check-all-payments.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { BY, REASON, type Story } from './story.js';

export const includes = (...names: string[]) => expect.arrayContaining(names) as string[];

const tries =
  (act: (ctx: Context, id: number, by: typeof REASON) => Promise<unknown>, by: object = REASON) =>
  (s: Story) =>
    s.does(({ ctx }, id) => act(ctx, id, by as typeof REASON).catch(() => undefined));

/** Who can bring the news about the older page, the webhook first. */
export const NEWS: readonly [who: string, hear: (story: Story) => Story][] = [
  ['the webhook with its job', (s) => s.hears('older').drained()],
  ['a check', (s) => s.checked({})],
  ['the schedule’s check', (s) => s.scheduled()],
  ['a person’s check of all', tries((ctx) => checkAllPayments(ctx, BY))],
  [
    'the lasting link',
    (s) => s.does((app, id) => followPayLink(app.ctx, app.request(id).payToken as string)),
  ],
  ['whoever renews', tries(renewPaymentSession, BY)],
  ['whoever reminds', tries(remindRequest)],
  ['whoever completes by hand', tries(completeRequest)],
  ['whoever cancels', tries(cancelRequest)],
];
