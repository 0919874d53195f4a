/** What the provider says about a payment session, and what that means (rules 2). */
import type { PaymentRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { isProviderError, unlessNotFound } from '../http/provider-error.js';
import type { Money } from '../texts/format.js';
import type { PaymentSession } from './provider.js';
import { isPaidStatus } from './our-session.js';
import { isEnded } from './settle-session.js';

export type PaymentCheckKey =
  | 'check_payment_success'
  | 'check_payment_info.open'
  | 'check_payment_info.pending'
  | 'check_payment_info.expired'
  /** A page could still be paid although no payment was due; it has been closed. */
  | 'check_payment_info.closed'
  | 'not_waiting_payment'
  | 'no_payment_session'
  | 'payment_session_not_found'
  | 'old_session_paid'
  | 'payment_unavailable';

export interface PaymentCheckResult {
  type: 'success' | 'info' | 'error';
  key: PaymentCheckKey;
  /** Our records were changed; with `dryRun`: would be. */
  changed?: true;
}

export interface Asked {
  payment: PaymentRow;
  answer: PaymentCheckResult;
  /** What the customer pays there. */
  money: Money;
}

/** What the provider says about a session, beside what is known here. Throws a ProviderError. */
export async function ask(ctx: Context, payment: PaymentRow): Promise<Asked> {
  const session = await unlessNotFound(ctx.payment.getSession(payment.paymentId));
  return answered(payment, session);
}

export function answered(payment: PaymentRow, session: PaymentSession | undefined): Asked {
  const money = session?.money ?? { amount: null, currency: null };
  return { payment, answer: besideOurs(payment, resultOf(session)), money };
}

function besideOurs(payment: PaymentRow, answer: PaymentCheckResult): PaymentCheckResult {
  if (isRefusedHere(payment, answer)) return OVER;
  return endsSession(payment, answer) && !isEnded(payment) ? { ...answer, changed: true } : answer;
}

/** The same for each of these, before anything is changed. */
export async function askEach(ctx: Context, payments: readonly PaymentRow[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const payment of payments) asked.push(await ask(ctx, payment));
  return asked;
}

const OVER: PaymentCheckResult = { type: 'info', key: 'check_payment_info.expired' };

/** The bank's refusal is not among the provider's states: the money seems to be on its way for good. */
function isRefusedHere({ status, givenUpAt }: PaymentRow, { key }: PaymentCheckResult): boolean {
  return key === 'check_payment_info.pending' && status === 'expired' && givenUpAt === null;
}

/** What the state of a session at the provider means. */
export function resultOf(session: PaymentSession | undefined): PaymentCheckResult {
  if (!session) return problem('payment_session_not_found');
  if (isPaidStatus(session.paymentStatus)) {
    return { type: 'success', key: 'check_payment_success', changed: true };
  }
  if (session.status === 'expired') return OVER;
  if (session.status === 'complete') return { type: 'info', key: 'check_payment_info.pending' };
  return { type: 'info', key: 'check_payment_info.open' };
}

/**
 * The customer has not paid there and no longer can. A session whose money is on its way is not over because it is
 * unknown.
 */
export function endsSession({ pendingSince }: PaymentRow, { key }: PaymentCheckResult): boolean {
  if (key === 'payment_session_not_found') return pendingSince === null;
  return key === 'check_payment_info.expired';
}

/** The customer's money is on its way. That the provider does not know the session proves nothing. */
export function isOnItsWay({ payment, answer }: Asked): boolean {
  if (answer.key === 'check_payment_success' || endsSession(payment, answer)) return false;
  return answer.key === 'check_payment_info.pending' || payment.pendingSince !== null;
}

/** What a check says when the provider gave no answer. */
export function asUnavailable({ log }: Context, requestId: number): (error: unknown) => PaymentCheckResult {
  return (error) => {
    if (!isProviderError(error)) throw error;
    log.warn({ requestId, error: error.message }, 'payment could not be checked');
    return problem('payment_unavailable');
  };
}

export function problem(key: PaymentCheckKey): PaymentCheckResult {
  return { type: 'error', key };
}
