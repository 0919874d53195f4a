/** Replays a stored inbound event: the provider is asked again about what it is about, and what follows is done, only once. */
import { requireContract } from '../../db/contracts/contracts.js';
import { settleInboxEvent, requireInboxEventById } from '../../db/inbox/inbox.js';
import type { ContractRow, InboxRow, InboxState } from '../../db/schema.js';
import { inTurn, type InTurn } from '../calls/in-turn.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError, describeError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { getInboxEvent } from './inbox.js';
import type { Silence } from '../payment/observe.js';
import { outcomeOf, PAYMENT_STATES } from '../payment/receive-payment-webhook.js';
import { reconcilePayment } from '../payment/reconcile.js';
import { completionJob, endJob } from '../signature/completion-job.js';
import { END_EVENTS, parseSignatureEvent, SIGNED } from '../signature/webhook-event.js';

export interface InboxReplay {
  id: number;
  /** `received`: not finished; its job will be retried. */
  state: InboxState | null;
  outcome: string | null;
  error: string | null;
}

/** Replays each on its own; a failure does not stop the others. */
export function replayInbox(
  ctx: Context,
  ids: readonly number[],
  options: InTurn<InboxReplay>,
): Promise<InboxReplay[]> {
  return inTurn(ids, options, (id) => replayOne(ctx, id, options));
}

async function replayOne(ctx: Context, id: number, options: InTurn<InboxReplay>): Promise<InboxReplay> {
  try {
    const event = mustBeReplayable(getInboxEvent(ctx, id).event);
    const error = await (event.source === 'payment' ? askPayment : askSignature)(ctx, event, options);
    const { state, outcome } = requireInboxEventById(ctx.db, { id });
    return { id, state, outcome, error: error === undefined ? null : describeError(error) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, state: null, outcome: null, error: error.message };
  }
}

interface Replayable extends InboxRow {
  body: Buffer;
  contractId: number;
}

/** Throws `not_replayable` for an event that has no effect here. */
export function mustBeReplayable(event: InboxRow): Replayable {
  if (isReplayable(event)) return event;
  const { id, eventName } = event;
  throw refused(
    'not_replayable',
    `Event ${id} (${eventName}) requires no action: there is nothing to process again.`,
  );
}

function isReplayable(event: InboxRow): event is Replayable {
  const { body, contractId, source, eventName } = event;
  const isUsed = source === 'payment' || eventName === SIGNED || eventName in END_EVENTS;
  return body !== null && contractId !== null && isUsed;
}

/** Returns why there was no answer, if so. Then a job asks again. */
async function askSignature(ctx: Context, event: Replayable, by: By): Promise<unknown> {
  const { id, contractId, eventName } = event;
  const job = await change(ctx, by, (tx) => {
    const about = ofContract(recordReplay(tx, event));
    settleInboxEvent(tx.db, { id, state: 'received', outcome: null, finishedAt: null });
    const provedAt = parseSignatureEvent(event.body)?.happenedAt ?? null;
    const owed =
      eventName === SIGNED
        ? tx.enqueueAgain(completionJob, { contractId, provedAt }, about)
        : tx.enqueueAgain(endJob, { contractId }, about);
    return ctx.jobs.claimHere(tx.db, owed);
  });
  return job && (await ctx.jobs.run(job)).error;
}

/** The same; nothing is recorded then. */
async function askPayment(ctx: Context, event: Replayable, { actor, reason }: By): Promise<unknown> {
  const { id, subjectId, contractId } = event;
  const { requestId } = requireContract(ctx.db, { id: contractId });
  const isAboutIt = ({ paymentId }: Silence) => paymentId === subjectId;
  const { silences } = await reconcilePayment(ctx, requestId, {
    actor,
    reason,
    note(tx, decided) {
      if (decided.silences.some(isAboutIt)) return;
      const outcome = outcomeOf(tx, recordReplay(tx, event), subjectId, decided);
      settleInboxEvent(tx.db, { id, state: PAYMENT_STATES[outcome], outcome, finishedAt: tx.now });
    },
  });
  return silences.find(isAboutIt)?.error;
}

function recordReplay(tx: Change, { id, contractId, eventName }: Replayable): ContractRow {
  const contract = requireContract(tx.db, { id: contractId });
  const detail = { inboxId: id, event: eventName, reason: tx.reason };
  tx.record('inbox.replayed', ofContract(contract), detail);
  return contract;
}
