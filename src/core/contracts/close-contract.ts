/** Closes a contract at both providers, before another replaces it or when its request is canceled (rules 2). */
import { requireRequest, setPaymentLink } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { closeSessions, refusePending, type PendingOptions } from '../payment/close-session.js';
import { settleClosed, type ClosedSession } from '../payment/settle-session.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { asRefusal } from '../signature/provider-says.js';

export interface CloseOptions extends PendingOptions {
  actor: Actor;
  /** For the signature provider's records. */
  note?: string;
  /** Ask the providers, but close nothing. */
  dryRun?: boolean | undefined;
}

/**
 * Cancels the signature, unless the contract is signed here, and ends its open payment sessions; returns how they ended.
 * Refuses with `already_signed` and `payment_pending`. Throws `provider_unavailable` or `payment_unavailable`, with
 * nothing changed here.
 */
export async function closeContract(
  ctx: Context,
  contract: ContractRow,
  options: CloseOptions,
): Promise<ClosedSession[]> {
  try {
    // Before anything irrevocable.
    await refusePending(ctx, contract, options);
    if (contract.signedAt === null) await closeAtProvider(ctx, contract, options);
    return options.dryRun ? [] : await closeSessions(ctx, contract, options);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** Records how its payment sessions ended. From then on only the sessions of a later contract count. */
export function paymentsClosed(
  tx: Change,
  { requestId: id }: ContractRow,
  closed: readonly ClosedSession[],
): void {
  settleClosed(tx, closed);
  // The customer may have been faster.
  if (requireRequest(tx.db, { id }).status === 'COMPLETE') return;
  setPaymentLink(tx.db, { id, paymentId: null, paymentUrl: null, now: tx.now });
}
