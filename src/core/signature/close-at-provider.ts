/** Withdraws at the signature provider what nobody is to sign any more (rules 2). */
import type { ContractRow } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import { change, type By, type Try } from '../change.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { refused } from '../errors.js';
import { requestLock, withLock } from '../lock.js';
import { closePages } from '../payment/close-pages.js';
import { asRefusal } from '../http/refusal.js';
import { reconcile } from './reconcile.js';
import { dryStep, takeSteps, type Work } from './take-steps.js';

/**
 * Cancels an open signature request, deletes a draft; with `dryRun` only looks. Somebody else's is left alone and
 * reported. Refuses with `already_signed` when the customer has signed in time. Throws a ProviderError, with nothing
 * changed here, when the provider cannot be asked.
 */
export async function closeAtProvider(
  ctx: Context,
  contract: ContractRow,
  { dryRun = false, ...how }: Pick<Work, 'actor' | 'note' | 'isMeant'> & { dryRun?: boolean | undefined },
): Promise<void> {
  // Even without a signId: a restored backup may be older than the sending.
  const work: Work = { ...how, contract, want: 'withdrawn' };
  const step = await (dryRun ? dryStep : takeSteps)(ctx, work);
  if (!('stop' in step) || step.stop !== 'signed') return;
  const { id, requestId, signId } = contract;
  // Of a second document a person must say that it counts.
  const isSecond = signId !== null && signId !== step.on.signId;
  const instead = isSecond
    ? runInstead('contracts accept-late', id)
    : runInstead('check-signature', requestId);
  throw refused('already_signed', 'The customer has signed this contract at the provider.', instead);
}

/**
 * Takes an unfinished contract back; false when it got further, which is recorded. What the customer may have read must not change
 * unnoticed (rules 2, "Start").
 */
export async function takeBack(
  ctx: Context,
  contract: ContractRow,
  want: 'unsent' | 'replaced',
  { actor }: By,
): Promise<boolean> {
  const { stop, on } = await takeSteps(ctx, { contract, want, actor });
  if (stop === 'clear') return true;
  await reconcile(ctx, contract.id, { actor, listed: on.state, isOwnWork: true });
  return false;
}

/**
 * Withdraws an unfinished contract that may have been sent: only the provider knows. Throws `provider_unavailable`, with nothing changed,
 * when the provider cannot be asked.
 */
export async function withdraw(ctx: Context, begun: ContractRow, by: By): Promise<void> {
  await withLock(ctx, requestLock(begun.requestId), async (ctx) => {
    if (!(await takeBack(ctx, begun, 'unsent', by))) return;
    await change(ctx, by, (tx) => endContract(tx, begun, { reason: 'replaced' }));
  }).catch((error: unknown) => {
    throw asRefusal(error, 'The contract may already be with the customer. ');
  });
}

/**
 * Before another contract replaces it or its request is canceled (rules 2): cancels the signature, unless the contract is signed here, and closes the pages on which it could be paid. Refuses with
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
