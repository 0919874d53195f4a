/** Withdraws at the signature provider what nobody is to sign any more, by the steps of next-step.ts (rules 2). */
import { requireContract } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { refused, type AppError } from '../errors.js';
import { unlessNotFound } from '../http/provider-error.js';
import { requestLock, withLock } from '../lock.js';
import { asFound, lookAt, type Found } from './at-provider.js';
import { applyState } from './check-signature.js';
import {
  nextToClose,
  reach,
  without,
  type AsClosed,
  type ToClose,
  type Closing,
  type Document,
  type There,
} from './next-step.js';
import type { SignatureState } from './provider-answers.js';
import { asRefusal } from './provider-says.js';
import { recordSent } from './sent.js';
import { tellForeign } from './told.js';

/** The note that the provider keeps about a cancellation. */
export const STARTED_ANEW = 'The signature was started again.';

interface Closer extends By {
  note?: string;
}

/**
 * Cancels an open signature request, deletes a draft; with `dryRun` only looks. Somebody else's is left alone and
 * reported. Refuses with `already_signed` when the customer has signed in time. Throws a ProviderError, with nothing
 * changed here, when the provider cannot be asked.
 */
export async function closeAtProvider(
  ctx: Context,
  contract: ContractRow,
  { dryRun = false, ...by }: Closer & { dryRun?: boolean | undefined },
): Promise<void> {
  // Even without a signId: a restored backup may be older than the sending.
  const there = await lookAt(ctx, contract);
  const step = dryRun
    ? nextToClose('withdrawn', { ...there, foreign: [] })
    : await close(ctx, contract, 'withdrawn', { ...by, there });
  if ('stop' in step && step.stop === 'signed') throw alreadySigned(contract, step.on);
}

/** Cancels one document of a contract if it is open. Refuses with `already_signed` if it has been signed meanwhile. */
export async function withdrawDocument(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  by: Closer,
): Promise<void> {
  if (state.status === 'done') return;
  const there = { ours: [asFound(ctx, contract, state)], foreign: [] };
  const { stop, on } = await close(ctx, contract, 'withdrawn', { ...by, there });
  if (stop === 'signed') throw alreadySigned(contract, on);
}

/**
 * Takes an unfinished contract back; false when it got further, which is recorded. What the customer may have read must not change
 * unnoticed (rules 2, "Start").
 */
export async function takeBack(
  ctx: Context,
  begun: ContractRow,
  want: 'unsent' | 'replaced',
  { actor }: By,
): Promise<boolean> {
  const { stop, on } = await close(ctx, begun, want, { actor, there: await lookAt(ctx, begun) });
  if (stop === 'clear') return true;
  if (stop === 'sent') await recordSent(ctx, begun, on.state, { actor });
  await applyState(ctx, requireContract(ctx.db, begun), on.state, { actor });
  return false;
}

/** Of what was found, nothing is open any more, unless it counts. */
function close(
  ctx: Context,
  contract: ContractRow,
  want: ToClose,
  { there: first, ...by }: Closer & { there: There<Found> },
): Promise<AsClosed<Found>> {
  const isMeant = ({ signId }: Found) => first.ours.some((found) => found.signId === signId);
  return reach<Found, Closing<Found>, AsClosed<Found>>(first, {
    next: (there) => nextToClose(want, there),
    look: async () => ({ ours: (await lookAt(ctx, contract)).ours.filter(isMeant), foreign: [] }),
    take: (call, there) => putAway(ctx, contract, { call, there, ...by }),
  });
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

interface Taking<D extends Document> extends Closer {
  call: Closing<D>;
  there: There<D>;
}

/** What is there after it. */
export async function putAway<D extends Document>(
  ctx: Context,
  contract: ContractRow,
  { call, there, actor, note = STARTED_ANEW }: Taking<D>,
): Promise<There<D>> {
  switch (call.do) {
    case 'tell_foreign':
      await change(ctx, { actor }, (tx) =>
        there.foreign.forEach((state) => tellForeign(tx, contract, state, { isServed: true })),
      );
      return { ...there, foreign: [] };
    case 'delete':
      await unlessNotFound(ctx.provider.deleteDraft(call.on.signId));
      break;
    case 'cancel':
      await ctx.provider.cancel({ ...contract, signId: call.on.signId }, note);
      break;
  }
  return without(there, call.on);
}

/** Of a second document a person must say that it counts. */
function alreadySigned({ id, requestId, signId }: ContractRow, there: Document): AppError {
  const isSecond = signId !== null && signId !== there.signId;
  const instead = isSecond
    ? runInstead('contracts accept-late', id)
    : runInstead('check-signature', requestId);
  return refused('already_signed', 'The customer has signed this contract at the provider.', instead);
}
