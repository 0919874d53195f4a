/** Withdraws an unsigned contract at the provider before another one is sent. */
import type { ContractRow } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import type { Actor } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { refused } from '../errors.js';
import { isProviderError, unlessNotFound } from '../http/provider-error.js';
import { PROVIDER_ENDS } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { applyState } from './check-signature.js';
import { isTooLate } from './complete-signature.js';
import { findAtProvider } from './create-signature.js';
import { asRefusal } from './provider-says.js';
import { tellForeign } from './told.js';
import type { SignatureState } from './provider-answers.js';

/** The note that the provider keeps about a cancellation. */
export const STARTED_ANEW = 'The signature was started again.';

interface Closing {
  actor: Actor;
  note?: string;
  dryRun?: boolean | undefined;
}

/**
 * Cancels an open signature request, deletes a draft; with `dryRun` only looks. Somebody else's is left alone and
 * reported. Refuses with `already_signed` when the customer has signed in time. Throws a ProviderError, with nothing
 * changed, when the provider cannot be asked.
 */
export async function closeAtProvider(
  ctx: Context,
  contract: ContractRow,
  { actor, note = STARTED_ANEW, dryRun = false }: Closing,
): Promise<void> {
  // Even without a signId: a restored backup may be older than the sending.
  const { ours, doubles, foreign } = await findAtProvider(ctx, contract);
  if (foreign.length > 0 && !dryRun) {
    await change(ctx, { actor }, (tx) =>
      foreign.forEach((state) => tellForeign(tx, contract, state, { isServed: true })),
    );
  }
  const all = ours ? [ours, ...doubles] : [];
  // A late signature does not count; only a new contract helps.
  const signed = all.find((state) => state.status === 'done' && !isTooLate(ctx, contract, state));
  if (signed) throw alreadySigned(contract, signed);
  if (dryRun) return;
  for (const state of all) await withdrawDocument(ctx, contract, state, note);
}

/** Cancels one document of a contract if it is open. Refuses with `already_signed` if it has been signed meanwhile. */
export async function withdrawDocument(
  ctx: Context,
  contract: ContractRow,
  there: SignatureState,
  note: string,
): Promise<void> {
  if (isOver(there.status)) return;
  try {
    await closeThere(ctx, there, note);
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It changed since we asked; only "done" matters.
    const { status } = await ctx.provider.getSignatureStatus(there);
    if (status === 'done') throw alreadySigned(contract, there);
    if (!isOver(status)) throw error;
  }
}

/** A draft is deleted, so that a pending activation finds nothing. */
async function closeThere({ provider }: Context, there: SignatureState, note: string): Promise<void> {
  if (there.status === 'draft') await unlessNotFound(provider.deleteDraft(there.signId));
  else await provider.cancel(there, note);
}

/** Closed there, or signed too late. Anything else may still reach the customer. */
function isOver(status: string): boolean {
  return status === 'done' || PROVIDER_ENDS.some((end) => end === status);
}

/** Of a second document a person must say that it counts. */
function alreadySigned({ id, requestId, signId }: ContractRow, there: Pick<SignatureState, 'signId'>) {
  const isSecond = signId !== null && signId !== there.signId;
  const instead = isSecond
    ? runInstead('contracts accept-late', id)
    : runInstead('check-signature', requestId);
  return refused('already_signed', 'The customer has signed this contract at the provider.', instead);
}

/**
 * Withdraws a contract that may have been sent: only the provider knows. What the customer may have read must not
 * change unnoticed (rules 2, "Start").
 *
 * Deletes a draft there and ends the contract here. Anything further stays and is recorded here. Throws
 * `provider_unavailable`, with nothing changed, when the provider cannot be asked.
 */
export async function withdraw(ctx: Context, begun: ContractRow, actor: Actor): Promise<void> {
  await withLock(ctx, requestLock(begun.requestId), async (ctx) => {
    const { ours } = await findAtProvider(ctx, begun);
    if (ours && ours.status !== 'draft') {
      await applyState(ctx, begun, ours, { actor });
      return;
    }
    await closeAtProvider(ctx, begun, { actor });
    await change(ctx, { actor }, (tx) => endContract(tx, begun, { reason: 'replaced' }));
  }).catch((error: unknown) => {
    throw asRefusal(error, 'The contract may already be with the customer. ');
  });
}
