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
import type { SignatureState } from './provider.js';

/**
 * Cancels the signature request if it still runs, and throws its draft away; with `dryRun` only looks. Somebody else's is
 * left alone, and told. Refuses with `already_signed` when the customer has signed it in time; throws a ProviderError, with nothing
 * changed, when the provider cannot be asked.
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
  if (dryRun || !there || isOver(there.status)) return;
  try {
    await withdraw(ctx, there);
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It changed between our question and the withdrawal; only one ending matters.
    const { status } = await ctx.provider.getSignatureStatus(there.signId);
    if (status === 'done') throw alreadySigned(contract);
    if (!isOver(status)) throw error;
  }
}

/** A draft goes altogether: an order to send it that is still on its way finds nothing. */
async function withdraw({ provider }: Context, { signId, status }: SignatureState): Promise<void> {
  if (status !== 'draft') return provider.cancel(signId, 'The signature was started anew.');
  try {
    await provider.deleteDraft(signId);
  } catch (error) {
    if (!isProviderError(error, 'not_found')) throw error;
  }
}

/** Closed there (also: signed too late). Anything else may still reach the customer. */
function isOver(status: string): boolean {
  return status === 'done' || PROVIDER_ENDS.some((end) => end === status);
}

function alreadySigned({ requestId }: ContractRow) {
  return refused(
    'already_signed',
    'The customer has signed this contract at the provider.',
    `Run \`esignctl check-signature ${requestId}\` instead.`,
  );
}
