/** Closes a contract at both providers, before another replaces it or when its request is canceled (rules 2). */
import type { ContractRow } from '../../db/schema.js';
import type { Try } from '../change.js';
import type { Context } from '../context.js';
import { closePages } from '../payment/close-pages.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { asRefusal } from '../signature/provider-says.js';

/**
 * Cancels the signature, unless the contract is signed here, and closes the pages on which it could be paid. Refuses with
 * `already_signed` and `payment_pending`. Throws `provider_unavailable` or `payment_unavailable`.
 */
export async function closeContract(
  ctx: Context,
  contract: ContractRow,
  /** The note is for the signature provider's records. */
  options: Try & { note?: string },
): Promise<void> {
  try {
    if (contract.signedAt === null) await closeAtProvider(ctx, contract, options);
    await closePages(ctx, contract.requestId, options);
  } catch (error) {
    throw asRefusal(error);
  }
}
