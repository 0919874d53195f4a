/** What may be done to a request now, by the moves that the use-cases go by: a button never leads to a sure refusal. */
import { findCurrentContract } from '../../db/contracts.js';
import { findCurrentPayment } from '../../db/payments.js';
import type { RequestRow, RequestStatus } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { findLateContract } from '../signature/late-signature.js';
import { isStartUnderWay } from '../signature/sent.js';

const { signatureStarted, signed, paid } = REQUEST_MOVES;

/** In the order in which they come up in the life of a request, with the statuses that they begin from. */
const BEGINNINGS = {
  'start-signature': signatureStarted.from,
  'check-signature': signed.from,
  'accept-late': signed.from,
  'reset-signature': signed.from,
  'check-payment': paid.from,
  'renew-payment': paid.from,
  complete: paid.from,
} as const satisfies Record<string, readonly RequestStatus[]>;

export type RequestAction = keyof typeof BEGINNINGS;

export const REQUEST_ACTIONS = Object.keys(BEGINNINGS) as readonly RequestAction[];

export function allowedActions(ctx: Context, request: RequestRow): RequestAction[] {
  return REQUEST_ACTIONS.filter((action) => {
    const from: readonly RequestStatus[] = BEGINNINGS[action];
    const begins = from.includes(request.status) || fitsLostAnswer(ctx, request, action);
    return begins && fitsPayment(ctx, request, action) && fitsLate(ctx, request, action);
  });
}

/** A check also finds out about a contract that the provider was asked to send without ever answering. */
function fitsLostAnswer({ db }: Context, request: RequestRow, action: RequestAction): boolean {
  if (action !== 'check-signature') return false;
  const contract = findCurrentContract(db, request.id);
  return contract !== undefined && contract.activationAskedAt !== null && isStartUnderWay(request, contract);
}

/** Only a late signature can be accepted as such. */
function fitsLate({ db }: Context, { id }: RequestRow, action: RequestAction): boolean {
  return action !== 'accept-late' || findLateContract(db, id) !== undefined;
}

const ABOUT_PAYMENT: readonly RequestAction[] = ['check-payment', 'renew-payment', 'complete'];

/** A link that works is checked, one that does not is renewed; while the money is on its way, one can only ask for it. */
function fitsPayment(ctx: Context, { id }: RequestRow, action: RequestAction): boolean {
  if (!ABOUT_PAYMENT.includes(action)) return true;
  const contract = findCurrentContract(ctx.db, id);
  const payment = contract && findCurrentPayment(ctx.db, contract.id);
  if (action === 'check-payment') return payment !== undefined;
  if (payment?.status === 'open' && payment.pendingSince !== null) return false;
  if (action === 'complete') return true;
  const isPast = payment?.expiresAt != null && payment.expiresAt <= iso(ctx.clock.now());
  return payment === undefined || payment.status === 'expired' || isPast;
}
