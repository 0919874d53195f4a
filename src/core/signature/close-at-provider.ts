/** Takes an unsigned contract out of the customer's hands before another one is sent. */
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { isTooLate } from './complete-signature.js';
import { findAtProvider, PROVIDER_ENDS } from './create-signature.js';
import { tellForeign } from './foreign-signature.js';

/**
 * Cancels the signature request if it still runs; with `dryRun` only looks. Somebody else's is left alone, and told.
 * Refuses with `already_signed` when the customer has signed it in time; throws a ProviderError, with nothing changed,
 * when the provider cannot be asked.
 */
export async function closeAtProvider(
  ctx: Context,
  contract: ContractRow,
  { actor, dryRun = false }: { actor: Actor; dryRun?: boolean },
): Promise<void> {
  // Also without signId: a restored backup may be older than the sending.
  const { ours: there, foreign } = await findAtProvider(ctx, contract);
  if (foreign.length > 0 && !dryRun) {
    const telling = { actor, now: iso(ctx.clock.now()), isServed: true };
    await ctx.writer.write((db) => foreign.forEach((state) => tellForeign(db, contract, state, telling)));
  }
  // Signed too late it counts for nothing: a new contract is the only way on.
  if (there?.status === 'done' && !isTooLate(ctx, contract, there)) throw alreadySigned(contract);
  if (dryRun || !there || isHarmless(there.status)) return;
  try {
    await ctx.provider.cancel(there.signId, 'The signature was started anew.');
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It ended between our question and the cancelling; only one ending matters.
    const { status } = await ctx.provider.getSignatureStatus(there.signId);
    if (status === 'done') throw alreadySigned(contract);
    if (!isHarmless(status)) throw error;
  }
}

/** Closed there (also: signed too late), or never sent. Anything else may still reach the customer. */
function isHarmless(status: string): boolean {
  return status === 'draft' || status === 'done' || PROVIDER_ENDS.some((end) => end === status);
}

function alreadySigned({ requestId }: ContractRow) {
  return refused(
    'already_signed',
    'The customer has signed this contract at the provider.',
    `Run \`esignctl check-signature ${requestId}\` instead.`,
  );
}
