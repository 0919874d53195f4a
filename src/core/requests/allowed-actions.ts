/** The actions a request allows now, by the use-cases' own moves, so that no button leads to a certain refusal. */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment } from '../../db/payments/payments.js';
import type { RequestRow, RequestStatus } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { isUncountedHere } from '../payment/payment-job.js';
import { isInReview } from '../payment/payment-case.js';
import { findSignedSecond } from '../signature/unknown-signatures.js';
import { standingOf, type SignatureStanding } from '../signature/standing.js';
import { hasOpenCase } from './settle-request.js';

const { signatureStarted, signed, paid, canceled, reopened } = REQUEST_MOVES;

/** In the order of a request's life, with the statuses from which they start. */
const BEGINNINGS = {
  'start-signature': signatureStarted.from,
  'check-signature': signed.from,
  'accept-late': signed.from,
  'reset-signature': signed.from,
  'check-payment': paid.from,
  'renew-payment': paid.from,
  complete: paid.from,
  remind: [...signed.from, ...paid.from],
  cancel: canceled.from,
  reopen: reopened.from,
  settle: [...signatureStarted.from, ...signed.from, ...paid.from, ...reopened.from, paid.to],
} as const satisfies Record<string, readonly RequestStatus[]>;

export type RequestAction = keyof typeof BEGINNINGS;

export const REQUEST_ACTIONS = Object.keys(BEGINNINGS) as readonly RequestAction[];

export function allowedActions(ctx: Context, request: RequestRow): RequestAction[] {
  return REQUEST_ACTIONS.filter((action) => {
    const from: readonly RequestStatus[] = BEGINNINGS[action];
    const begins = from.includes(request.status) || fitsLostAnswer(ctx, request, action);
    return (
      begins &&
      fitsPayment(ctx, request, action) &&
      fitsLate(ctx, request, action) &&
      fitsCase(ctx, request, action) &&
      fitsCustomer(ctx, request, action) &&
      fitsReminder(ctx, request, action)
    );
  });
}

function signatureStanding({ db, clock }: Context, request: RequestRow): SignatureStanding {
  return standingOf(request, findCurrentContract(db, { requestId: request.id }), iso(clock.now()));
}

/** A check also settles a contract that may have been sent. */
function fitsLostAnswer(ctx: Context, request: RequestRow, action: RequestAction): boolean {
  if (action !== 'check-signature') return false;
  return isBeforeSending(request) && signatureStanding(ctx, request) === 'asked';
}

/** Only a signature that came late, or on a second document, is accepted. */
function fitsLate(ctx: Context, request: RequestRow, action: RequestAction): boolean {
  if (action !== 'accept-late') return true;
  return signatureStanding(ctx, request) === 'late' || findSignedSecond(ctx.db, request.id) !== undefined;
}

/** Only a case that waits for a decision can be settled. */
function fitsCase({ db }: Context, request: RequestRow, action: RequestAction): boolean {
  return action !== 'settle' || hasOpenCase(db, request);
}

/** Nobody is left to sign after erasure. */
function fitsCustomer({ db }: Context, { ownerId }: RequestRow, action: RequestAction): boolean {
  return action !== 'reopen' || requireUser(db, { id: ownerId }).erasedAt === null;
}

/** The customer must have something to sign, or a link to pay; nobody is reminded of money that is on its way or has come. */
function fitsReminder(ctx: Context, request: RequestRow, action: RequestAction): boolean {
  if (action !== 'remind') return true;
  const { id, status, payToken } = request;
  const { db } = ctx;
  if (status === 'WAITING_SIGNATURE') return signatureStanding(ctx, request) === 'open';
  const contract = findCurrentContract(db, { requestId: id });
  const payment = contract && findCurrentPayment(db, { contractId: contract.id });
  const isOnItsWay = payment?.status === 'open' && payment.pendingSince !== null;
  return contract !== undefined && payToken !== null && !isOnItsWay && !isInReview(db, contract);
}

const ABOUT_PAYMENT: readonly RequestAction[] = ['check-payment', 'renew-payment', 'complete', 'cancel'];

/**
 * A working link can be checked, an expired one renewed, and any once a person has decided about another payment; while the
 * money is on its way it can only be checked.
 */
function fitsPayment(ctx: Context, { id }: RequestRow, action: RequestAction): boolean {
  if (!ABOUT_PAYMENT.includes(action)) return true;
  const contract = findCurrentContract(ctx.db, { requestId: id });
  const payment = contract && findCurrentPayment(ctx.db, { contractId: contract.id });
  if (action === 'check-payment') return payment !== undefined;
  if (payment?.status === 'open' && payment.pendingSince !== null) return false;
  if (action === 'complete' || action === 'cancel') return true;
  if (contract && isInReview(ctx.db, contract)) return true;
  if (contract && payment && isUncountedHere(ctx.db, payment, contract)) return true;
  const isPast = payment?.expiresAt != null && payment.expiresAt <= iso(ctx.clock.now());
  return payment === undefined || payment.status === 'expired' || isPast;
}
