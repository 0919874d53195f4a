/** Replays a stored inbound event: what it asks for is done if it has not been, and only once. */
import { requireContract } from '../../db/contracts/contracts.js';
import { settleInboxEvent, requireInboxEventById } from '../../db/inbox/inbox.js';
import type { ContractRow, InboxRow, InboxState, JobRow } from '../../db/schema.js';
import { inTurn, type InTurn } from '../calls/in-turn.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError, describeError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { getInboxEvent } from './inbox.js';
import { isAboutSession, parsePaymentEvent } from '../payment/payment-event.js';
import { actOnEvent, PAYMENT_STATES } from '../payment/receive-payment-webhook.js';
import { completionJob } from '../signature/completion-job.js';
import { endJob } from '../signature/end-job.js';
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
    const job = await change(ctx, options, (tx) => workThrough(ctx, tx, event));
    const error = job && (await ctx.jobs.run(job)).error;
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

/** Returns the job to run, claimed for this process. */
function workThrough(ctx: Context, tx: Change, event: Replayable): JobRow | undefined {
  const contract = requireContract(tx.db, { id: event.contractId });
  const detail = { inboxId: event.id, event: event.eventName, reason: tx.reason };
  tx.record('inbox.replayed', ofContract(contract), detail);
  if (event.source === 'payment') return settlePayment(ctx, tx, event);
  return oweAnswer(ctx, tx, event, contract);
}

function settlePayment(ctx: Context, tx: Change, event: Replayable): undefined {
  const parsed = parsePaymentEvent(event.body);
  if (!parsed || !isAboutSession(parsed)) return;
  const { outcome } = actOnEvent(ctx, tx, parsed);
  settleInboxEvent(tx.db, { id: event.id, state: PAYMENT_STATES[outcome], outcome, finishedAt: tx.now });
}

/** Enqueues the webhook's routine again. */
function oweAnswer(ctx: Context, tx: Change, event: Replayable, contract: ContractRow): JobRow | undefined {
  const { db } = tx;
  settleInboxEvent(db, { id: event.id, state: 'received', outcome: null, finishedAt: null });
  const { id: contractId } = contract;
  const provedAt = parseSignatureEvent(event.body)?.happenedAt ?? null;
  const about = ofContract(contract);
  const owed =
    event.eventName === SIGNED
      ? tx.enqueueAgain(completionJob, { contractId, provedAt }, about)
      : tx.enqueueAgain(endJob, { contractId }, about);
  return ctx.jobs.claimHere(db, owed);
}
