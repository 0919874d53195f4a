/**
 * Asks the provider whether the end is true of which a webhook has told (rules 3). It may be old: the document may have
 * been reactivated since.
 */
import { finishNamedInboxEvents } from '../../db/inbox/inbox.js';
import type { ContractRow } from '../../db/schema.js';
import { JOB } from '../actor.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { getContract } from '../contracts/contract.js';
import { unlessNotFound } from '../http/provider-error.js';
import { prepareCompletion } from './complete-signature.js';
import type { Completion } from './completion-job.js';
import { whatIsOver, type CompletionStep } from './what-is-over.js';
import { END_EVENTS } from './webhook-event.js';

/** The step to commit. Throws a ProviderError, with nothing changed, when the provider does not answer. */
export async function prepareEnd(ctx: Context, contractId: number): Promise<CompletionStep> {
  const contract = getContract(ctx.db, contractId);
  const { signId } = contract;
  if (signId === null) return (tx) => notConfirmed(tx, contract);
  const asked = await unlessNotFound(ctx.provider.getSignatureStatus({ ...contract, signId }));
  const { step, state } = await whatIsOver(ctx, contract, asked);
  if (step) return step;
  if (state.status !== 'done') return (tx) => notConfirmed(tx, contract);
  return prepareCompletion(ctx, { contractId, provedAt: null, actor: JOB, state });
}

/** Events that tell of a signature stay open: another job proves them. */
function notConfirmed({ db, now }: Change, { id: contractId }: ContractRow): Completion {
  finishNamedInboxEvents(db, {
    contractId,
    eventNames: Object.keys(END_EVENTS),
    state: 'ignored',
    outcome: 'not_confirmed',
    finishedAt: now,
  });
  return 'not_confirmed';
}
