/** What a provider's answer about a payment session changes here, whoever asked (rules 2). */
import { requireContract } from '../../db/contracts/contracts.js';
import { requirePayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import type { ListSince } from './forgotten-session.js';
import { isPriceOf } from './price.js';
import { endsSession, problem, type Asked, type PaymentCheckResult } from './session-result.js';
import { sessionExpired, sessionPaid, sessionPending } from './settle-session.js';

export interface PaymentCheckOptions extends By {
  /** Ask the provider, but change nothing. */
  dryRun?: boolean;
  /** For many requests the provider's list is read once. */
  list?: ListSince;
}

/** Applies the answer, unless nothing may be changed or the schedule learns nothing. */
export async function apply(
  ctx: Context,
  asked: Asked,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const { answer } = asked;
  if (options.dryRun) return isOtherPrice(ctx.db, asked) ? { ...CASE, changed: true } : answer;
  const isNothingNew = answer.key === 'check_payment_info.open' && options.actor.kind === 'system';
  return isNothingNew ? answer : change(ctx, options, (tx) => applyAnswer(tx, asked));
}

/** Paid with another amount or currency. */
export function isOtherPrice(db: Db, { payment, answer, money }: Asked): boolean {
  const contract = requireContract(db, { id: payment.contractId });
  return answer.key === 'check_payment_success' && !isPriceOf(contract, money);
}

const CASE = problem('old_session_paid');

/** Brings our records into line with the provider's answer. */
export function applyAnswer(tx: Change, { payment, answer: result, money }: Asked): PaymentCheckResult {
  const { contractId, paymentId } = payment;
  const contract = requireContract(tx.db, { id: contractId });
  const { status } = requireRequest(tx.db, { id: contract.requestId });
  // For a request that no longer waits, only what follows from the answer is recorded.
  if (tx.actor.kind !== 'system' && status === 'WAITING_PAYMENT') {
    const detail = { answer: result.key, paymentId, reason: tx.reason };
    tx.record('payment.checked', ofContract(contract), detail);
  }
  // Read again: its webhook may have arrived meanwhile.
  const fresh = requirePayment(tx.db, { paymentId });
  if (result.key === 'check_payment_info.pending') sessionPending(tx, fresh);
  if (endsSession(fresh, result)) sessionExpired(tx, fresh);
  if (result.key !== 'check_payment_success') return result;
  const outcome = sessionPaid(tx, fresh, money);
  if (outcome === 'old_session_paid' || outcome === 'other_price') return { ...CASE, changed: true };
  // Reported before; a person has not decided yet.
  const isComplete = requireRequest(tx.db, { id: contract.requestId }).status === 'COMPLETE';
  return isComplete ? result : CASE;
}
