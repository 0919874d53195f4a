/** Works a stored inbound event through again: what it asked for is done if it is still to be done, and only once. */
import { findContract } from '../db/contracts.js';
import type { Db } from '../db/db.js';
import { settleInboxEvent } from '../db/inbox.js';
import { findInboxEventById } from '../db/inbox-lists.js';
import { findPayment } from '../db/payments.js';
import type { ContractRow, InboxRow, InboxState, JobRow } from '../db/schema.js';
import type { Actor } from './actor.js';
import { iso } from './clock.js';
import type { Context } from './context.js';
import { endContract } from './contracts/end-contract.js';
import { AppError, describeError, refused } from './errors.js';
import { record } from './history.js';
import { getInboxEvent } from './inbox.js';
import { enqueueAgain } from './jobs/queue.js';
import { isAboutSession, parsePaymentEvent } from './payment/payment-event.js';
import { actOnPayment, PAYMENT_STATES } from './payment/receive-payment-webhook.js';
import { completionJob } from './signature/completion-job.js';
import { END_EVENTS } from './signature/receive-webhook.js';
import { parseSignatureEvent } from './signature/webhook-event.js';

export interface InboxReplay {
  id: number;
  /** `received`: it is not finished; the job that does it is tried again. */
  state: InboxState | null;
  outcome: string | null;
  error: string | null;
}

export interface InboxReplayOptions {
  actor: Actor;
  reason?: string | undefined;
  /** Ends it after the event under way. */
  signal?: AbortSignal;
  onResult?: (result: InboxReplay) => void;
}

/** Each by itself: one that cannot be worked through does not stop the others. */
export async function replayInbox(
  ctx: Context,
  ids: readonly number[],
  options: InboxReplayOptions,
): Promise<InboxReplay[]> {
  const results: InboxReplay[] = [];
  for (const id of ids) {
    if (options.signal?.aborted) break;
    const result = await replayOne(ctx, id, options);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function replayOne(ctx: Context, id: number, options: InboxReplayOptions): Promise<InboxReplay> {
  try {
    const { event } = getInboxEvent(ctx, id);
    mustBeReplayable(event);
    const job = await ctx.writer.write((db) => workThrough(ctx, db, event, options));
    const error = job && (await ctx.jobs.run(job)).error;
    const { state, outcome } = findInboxEventById(ctx.db, id) as InboxRow;
    return { id, state, outcome, error: error === undefined ? null : describeError(error) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, state: null, outcome: null, error: error.message };
  }
}

/** Throws `not_replayable` for an event that asks nothing of us. */
export function mustBeReplayable({ id, body, contractId, source, eventName }: InboxRow): void {
  const isUsed = source === 'payment' || eventName === 'signature_request.done' || eventName in END_EVENTS;
  if (body !== null && contractId !== null && isUsed) return;
  throw refused(
    'not_replayable',
    `Event ${id} (${eventName}) asks nothing of us: there is nothing to do again.`,
  );
}

/** Returns the job that is left to run, taken for this process. */
function workThrough(
  ctx: Context,
  db: Db,
  event: InboxRow,
  { actor, reason }: InboxReplayOptions,
): JobRow | undefined {
  const now = iso(ctx.clock.now());
  const contract = findContract(db, event.contractId as number) as ContractRow;
  const { id: contractId, requestId } = contract;
  const detail = { inboxId: event.id, event: event.eventName, ...(reason && { reason }) };
  record(db, { at: now, actor, what: 'inbox.replayed', requestId, contractId, detail });
  if (event.source === 'payment') return settlePayment(db, event, { actor, now });
  if (event.eventName === 'signature_request.done') return oweCompletion(ctx, db, event, { contract, now });
  return endAgain(db, event, { contract, actor, now });
}

function settlePayment(db: Db, event: InboxRow, by: { actor: Actor; now: string }): undefined {
  const payment = findPayment(db, event.subjectId);
  const parsed = parsePaymentEvent(event.body as Buffer);
  if (!payment || !parsed || !isAboutSession(parsed)) return;
  const outcome = actOnPayment(db, parsed, payment, by);
  settleInboxEvent(db, { id: event.id, state: PAYMENT_STATES[outcome], outcome, finishedAt: by.now });
}

/** The routine of the webhook, owed once more. */
function oweCompletion(
  ctx: Context,
  db: Db,
  event: InboxRow,
  { contract, now }: { contract: ContractRow; now: string },
): JobRow | undefined {
  settleInboxEvent(db, { id: event.id, state: 'received', outcome: null, finishedAt: null });
  const provedAt = parseSignatureEvent(event.body as Buffer)?.happenedAt ?? null;
  const job = enqueueAgain(db, completionJob(contract, { provedAt, now }));
  return ctx.jobs.claimHere(db, job);
}

function endAgain(
  db: Db,
  event: InboxRow,
  { contract, actor, now }: { contract: ContractRow; actor: Actor; now: string },
): undefined {
  const reason = END_EVENTS[event.eventName] as (typeof END_EVENTS)[string];
  const declineReason = parseSignatureEvent(event.body as Buffer)?.declineReason ?? null;
  const isEnded = endContract(db, contract, { reason, declineReason, actor, now });
  const state = isEnded || event.state === 'done' ? 'done' : 'ignored';
  settleInboxEvent(db, { id: event.id, state, outcome: reason, finishedAt: now });
}
