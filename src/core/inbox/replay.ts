/** Replays a stored inbound event: the provider is asked again about what it is about, and what follows is done, only once. */
import { requireContract } from '../../db/contracts/contracts.js';
import { settleInboxEvent, requireInboxEventById } from '../../db/inbox/inbox.js';
import { completeIdleJob } from '../../db/jobs/jobs.js';
import type { InboxRow, InboxState } from '../../db/schema.js';
import type { EachAct } from '../calls/each-act.js';
import { change, type By, type Change } from '../change.js';
import type { Advice } from '../commands.js';
import type { Context } from '../context.js';
import { describeError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { getInboxEvent } from './inbox.js';
import { enqueueAgain } from '../jobs/queue.js';
import { refuseWhileHeld } from '../installation/hold.js';
import type { Silence } from '../payment/observe.js';
import { outcomeOf, PAYMENT_STATES } from '../payment/receive-payment-webhook.js';
import { reconcilePayment } from '../payment/reconcile.js';
import { UNFINISHED, type EventEnd } from '../signature/apply.js';
import { reconcile } from '../signature/reconcile.js';
import {
  END_EVENTS,
  isForeign,
  parseSignatureEvent,
  SIGNED,
  workOfEvent,
} from '../signature/webhook-event.js';

export interface InboxReplay {
  id: number;
  /** `received`: not finished; its job asks again. */
  state: InboxState | null;
  outcome: string | null;
  error: Advice | null;
}

export function inboxReplay(ctx: Context, by: By): EachAct<Replayable, InboxReplay> {
  const find = (id: number) => mustBeReplayable(getInboxEvent(ctx, id).event);
  return {
    find,
    async run(id) {
      const error = await reconcileEvent(ctx, find(id), by);
      const { state, outcome } = requireInboxEventById(ctx.db, { id });
      return { id, state, outcome, error: error === undefined ? null : describeError(error) };
    },
    untried: (id, event, error) => ({
      id,
      state: event?.state ?? null,
      outcome: event?.outcome ?? null,
      error,
    }),
  };
}

interface Replayable extends InboxRow {
  body: Buffer;
  contractId: number;
}

/** Throws `not_replayable` for an event that has no effect here. */
function mustBeReplayable(event: InboxRow): Replayable {
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

/** A reconcile of what the event is about; returns why there was no answer, if so. */
function reconcileEvent(ctx: Context, event: Replayable, by: By): Promise<unknown> {
  return event.source === 'payment' ? askAboutPayment(ctx, event, by) : askAboutSignature(ctx, event, by);
}

/** The session is asked about even if nothing is known of it, or it was over. While the provider is silent, nothing is recorded. */
async function askAboutPayment(ctx: Context, event: Replayable, { actor, reason }: By): Promise<unknown> {
  const { subjectId, contractId } = event;
  const contract = requireContract(ctx.db, { id: contractId });
  const isAboutIt = ({ paymentId }: Silence) => paymentId === subjectId;
  const { silences } = await reconcilePayment(ctx, contract.requestId, {
    actor,
    reason,
    about: { paymentId: subjectId, contractId },
    note(tx, decided) {
      if (decided.silences.some(isAboutIt)) return;
      const outcome = outcomeOf(tx, contract, subjectId, decided);
      settle(tx, event, { state: PAYMENT_STATES[outcome], outcome });
    },
  });
  return silences.find(isAboutIt)?.error;
}

/** While the provider is silent, or does not confirm it, its job asks again. */
async function askAboutSignature(ctx: Context, event: Replayable, { actor, reason }: By): Promise<unknown> {
  // The account may be another's until a takeover has looked.
  refuseWhileHeld(ctx);
  const { eventName, contractId } = event;
  const contract = requireContract(ctx.db, { id: contractId });
  const parsed = parseSignatureEvent(event.body);
  const happenedAt = parsed?.happenedAt ?? null;
  const workAt = (now: string) => workOfEvent({ eventName, happenedAt }, contract, now);
  const isOurs = !parsed || !isForeign(parsed, contract);
  const heard = eventName === SIGNED && isOurs ? { signedAt: happenedAt } : null;
  const note = (tx: Change, end: EventEnd) => {
    settle(tx, event, end);
    // Its job has nothing left to do; that of our own event is none of somebody else's.
    if (isOurs) completeIdleJob(tx.db, { uniqueKey: workAt(tx.now).uniqueKey, finishedAt: tx.now });
  };
  try {
    await reconcile(ctx, contractId, { actor, reason, heard, note });
    return undefined;
  } catch (error) {
    if (!isOurs) return error;
    await change(ctx, { actor, reason }, (tx) => {
      settle(tx, event, UNFINISHED);
      enqueueAgain(tx.db, workAt(tx.now));
    });
    return error;
  }
}

function settle(tx: Change, { id, contractId, eventName }: Replayable, end: EventEnd): void {
  const contract = requireContract(tx.db, { id: contractId });
  const detail = { inboxId: id, event: eventName, reason: tx.reason };
  tx.record('inbox.replayed', ofContract(contract), detail);
  settleInboxEvent(tx.db, { id, ...end, finishedAt: end.state === 'received' ? null : tx.now });
}
