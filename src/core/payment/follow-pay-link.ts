/**
 * Where the lasting link to pay leads (rules 2): the provider is asked first, so that nobody is sent to a page that is
 * over, or to one that is paid. A page that is over is replaced.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { findCurrentPayment, listOpenPaymentsOf } from '../../db/payments/payments.js';
import { findRequestByPayToken } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { CUSTOMER } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { isProviderError, unlessNotFound } from '../http/provider-error.js';
import { applyAnswer } from './apply-answer.js';
import { checkPayment } from './check-payment.js';
import { isPayToken } from './pay-link.js';
import { isInReview } from './payment-case.js';
import { isUncountedHere, paymentJobKey } from './payment-job.js';
import type { PaymentSession } from './provider.js';
import { renewPaymentSession } from './renew-payment-session.js';
import { answered, endsSession } from './session-result.js';

export type PayPlace =
  | { place: 'payment_page'; url: string }
  /** in_review: money has come that a person must look at first; asked again, the customer might pay twice. */
  | { place: 'unknown' | 'paid' | 'pending' | 'in_review' }
  /** Another process is working on it: again in a moment. */
  | { place: 'busy' | 'unavailable' };

export async function followPayLink(ctx: Context, token: string): Promise<PayPlace> {
  const known = placeOf(ctx, token);
  if ('place' in known) return known;
  const { contract } = known;
  const [, another] = listOpenPaymentsOf(ctx.db, { contractId: contract.id });
  const found = await (another ? afterCheck(ctx, token, contract) : leadOn(ctx, contract));
  return found.place === 'payment_page' ? unlessChanged(ctx, token, found) : found;
}

/** What has come while the provider was asked decides. */
function unlessChanged(ctx: Context, token: string, page: PayPlace): PayPlace {
  const known = placeOf(ctx, token);
  if ('place' in known) return known;
  return isInReview(ctx.db, known.contract) ? { place: 'in_review' } : page;
}

/** Only the provider knows which of several pages counts, and whether one was paid. */
async function afterCheck(ctx: Context, token: string, contract: ContractRow): Promise<PayPlace> {
  const { key } = await checkPayment(ctx, contract.requestId, { actor: CUSTOMER });
  if (key === 'payment_unavailable') return { place: 'unavailable' };
  if (key === 'check_payment_info.pending') return { place: 'pending' };
  const known = placeOf(ctx, token);
  return 'place' in known ? known : leadOn(ctx, known.contract);
}

async function leadOn(ctx: Context, contract: ContractRow): Promise<PayPlace> {
  const payment = findCurrentPayment(ctx.db, { contractId: contract.id });
  if (isInReview(ctx.db, contract)) return { place: 'in_review' };
  try {
    return payment ? await lead(ctx, contract, payment) : await renew(ctx, contract);
  } catch (error) {
    if (isProviderError(error)) return { place: 'unavailable' };
    throw error;
  }
}

/** What is known without asking the provider: the contract to pay, or where the link leads anyway. */
export function placeOf({ db }: Context, token: string): PayPlace | { contract: ContractRow } {
  const request = requestOfLink(db, token);
  if (request?.status === 'COMPLETE') return { place: 'paid' };
  const contract =
    request?.status === 'WAITING_PAYMENT' ? findCurrentContract(db, { requestId: request.id }) : undefined;
  return contract ? { contract } : { place: 'unknown' };
}

/** Whose link it is; undefined: there is no such link. */
export function customerOfLink({ db }: Context, token: string): UserRow | undefined {
  const request = requestOfLink(db, token);
  return request && requireUser(db, { id: request.ownerId });
}

function requestOfLink(db: Db, token: string): RequestRow | undefined {
  return isPayToken(token) ? findRequestByPayToken(db, { payToken: token }) : undefined;
}

async function lead(ctx: Context, contract: ContractRow, payment: PaymentRow): Promise<PayPlace> {
  // Its payment failed or its time is over; the provider may still call it complete. Or a person has refunded it.
  if (payment.status === 'expired' || isUncountedHere(ctx.db, payment, contract)) return renew(ctx, contract);
  const session = await unlessNotFound(ctx.payment.getSession(payment.paymentId));
  const asked = answered(payment, session);
  const { answer } = asked;
  if (answer.key === 'check_payment_info.open') return toPage(session);
  const { key } = await change(ctx, { actor: CUSTOMER }, (tx) => applyAnswer(tx, asked));
  if (key === 'check_payment_success') return { place: 'paid' };
  if (endsSession(payment, answer)) return renew(ctx, contract);
  return { place: answer.key === 'check_payment_info.pending' ? 'pending' : 'in_review' };
}

function toPage(session: Pick<PaymentSession, 'paymentUrl'> | undefined): PayPlace {
  const url = session?.paymentUrl ?? '';
  return /^https?:\/\//.test(url) ? { place: 'payment_page', url } : { place: 'unavailable' };
}

/** Its page was made, renewed or paid by somebody else just now. */
const OVERTAKEN: readonly string[] = [
  'in_progress',
  'payment_link_works',
  'payment_pending',
  'already_paid',
  'not_waiting_payment',
];
const OUT_OF_ORDER: readonly string[] = ['payment_unavailable', 'payment_creation_failed', 'held'];

async function renew(ctx: Context, { id, requestId }: ContractRow): Promise<PayPlace> {
  if (findJobByKey(ctx.db, { uniqueKey: paymentJobKey(id) })?.state === 'running') return { place: 'busy' };
  try {
    return toPage(await renewPaymentSession(ctx, requestId, { actor: CUSTOMER }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (OVERTAKEN.includes(error.code)) return { place: 'busy' };
    if (OUT_OF_ORDER.includes(error.code)) return { place: 'unavailable' };
    throw error;
  }
}
