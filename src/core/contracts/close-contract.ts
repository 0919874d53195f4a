/** Closes a contract at both providers, before another replaces it or when its request is canceled (rules 2). */
import { findCurrentPayment, requireCurrentPayment } from '../../db/payments/payments.js';
import { setPaymentLink } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { closeSession, refusePending, type Closing } from '../payment/close-session.js';
import { sessionClosed, sessionPaid } from '../payment/settle-session.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { unavailable } from '../signature/start-signature.js';

export interface CloseOptions {
  actor: Actor;
  /** For the signature provider's records. */
  note: string;
  /** Ask the providers, but close nothing. */
  dryRun?: boolean | undefined;
}

/**
 * Cancels the signature, unless the contract is signed here, and ends an open payment session; returns how that ended.
 * Refuses with `already_signed` and `payment_pending`. Throws `provider_unavailable` or `payment_unavailable`, with
 * nothing changed here.
 */
export async function closeContract(
  ctx: Context,
  contract: ContractRow,
  options: CloseOptions,
): Promise<Closing | undefined> {
  try {
    const payment = findCurrentPayment(ctx.db, { contractId: contract.id });
    const open = payment?.status === 'open' ? payment : undefined;
    // Before anything irrevocable.
    if (open) await refusePending(ctx, open);
    if (contract.signedAt === null) await closeAtProvider(ctx, contract, options);
    return open && !options.dryRun ? await closeSession(ctx, open) : undefined;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Records how its payment session ended. From then on only the sessions of a later contract count. */
export function paymentClosed(tx: Change, contract: ContractRow, closing: Closing): void {
  const { db, now } = tx;
  const payment = requireCurrentPayment(db, { contractId: contract.id });
  if (closing === 'closed') sessionClosed(tx, payment);
  else sessionPaid(tx, payment);
  setPaymentLink(db, { id: contract.requestId, paymentId: null, paymentUrl: null, now });
}
