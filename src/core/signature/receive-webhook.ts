/**
 * Inbound signature webhook (spec 4.7), step by step. The provider hangs up after half a second and calls again, so the
 * genuine event is stored before the work starts, together with a job that this call takes for itself: whatever happens
 * to the caller or to this process, the work is owed and gets done.
 */
import type { Db } from '../../db/db.js';
import { isCurrentContract } from '../../db/contracts.js';
import { findInboxEvent, insertInboxEvent, settleInboxEvent } from '../../db/inbox.js';
import { findRequest } from '../../db/requests.js';
import type { ContractRow, InboxRow, InboxState, JobRow, RequestRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import type { HeardOutcome } from '../jobs/outcomes.js';
import { isAnotherInstallations } from '../identity.js';
import { isBeforeSending, type ProviderEnd } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import { reject, rejectForged, type InboundDelivery } from '../rejections.js';
import type { Completion } from './complete-signature.js';
import { completionJob } from './completion-job.js';
import { withinPatience } from './patience.js';
import { tellReplacedSigned } from './replaced-signature.js';
import { askAndCatchUp, isSendingUnfinished } from './sent.js';
import { contractOfEvent } from './webhook-contract.js';
import { parseSignatureEvent, type SignatureEvent } from './webhook-event.js';
import { isGenuine } from './webhook-signature.js';

export interface WebhookAnswer {
  status: 200 | 202 | 400 | 401 | 404 | 422 | 429;
}

export const END_EVENTS: Readonly<Record<string, ProviderEnd>> = {
  'signature_request.declined': 'declined',
  'signature_request.expired': 'expired',
  'signature_request.canceled': 'canceled',
  'signature_request.rejected': 'rejected',
  'signature_request.deleted': 'deleted',
};

/** Returns the answer's status; its body is always empty. Throws only when the event could not be stored. */
export async function receiveWebhook(ctx: Context, delivery: InboundDelivery): Promise<WebhookAnswer> {
  if (!isGenuine(delivery.rawBody, delivery.signature, ctx.config.webhookSecrets))
    return rejectForged(ctx, 'signature', delivery, 401);

  const event = parseSignatureEvent(delivery.rawBody);
  const { eventName, signId } = event ?? {};
  // A signature that nobody can name must not count as heard.
  if (!event || (eventName === SIGNED && signId === undefined)) {
    return reject(ctx, 'signature', delivery, 400, 'unusable_body');
  }
  const contract = await contractOfEvent(ctx, event);
  const request = contract && findRequest(ctx.db, contract.requestId);
  if (!contract || !request) return notOurs(ctx, event, delivery);

  const story = { event, contract, request, rawBody: delivery.rawBody };
  if (event.eventName === SIGNED) return signed(ctx, story);
  const reason = END_EVENTS[event.eventName];
  if (!reason) return heardOf(ctx, story);
  return isForeign(event, contract) ? ignored(ctx, story, 'foreign') : ended(ctx, story, reason);
}

/** The end of somebody else's document closes no contract of ours; "signed" is proved in full before it counts. */
function isForeign({ externalId }: SignatureEvent, contract: ContractRow): boolean {
  return externalId !== null && externalId !== contract.externalId;
}

const SIGNED = 'signature_request.done';

/**
 * The account may tell us of more than our contracts, those of other installations too. Only a signature that could be
 * ours and is nowhere here has to be sent again.
 */
function notOurs(ctx: Context, event: SignatureEvent, delivery: InboundDelivery): Promise<WebhookAnswer> {
  const isOthers = isAnotherInstallations(ctx.db, event.externalId);
  if (event.eventName === SIGNED && !isOthers) {
    return reject(ctx, 'signature', delivery, 404, 'unknown_sign_id');
  }
  const outcome = event.signId === undefined ? 'not_used' : 'unknown_signature';
  return ignored(ctx, { event, rawBody: delivery.rawBody }, outcome);
}

interface Heard {
  event: SignatureEvent;
  rawBody: Buffer;
  /** That it is about, if it is one of ours. */
  contract?: ContractRow;
}

interface Story extends Heard {
  contract: ContractRow;
  request: RequestRow;
}

async function signed(ctx: Context, story: Story): Promise<WebhookAnswer> {
  const { request, contract } = story;
  if (!isCurrentContract(ctx.db, contract)) return replaced(ctx, story);
  // A repeat costs no write: the provider may send it eight times.
  if (isSigned(request)) return repeat(ctx);
  if (request.status !== 'WAITING_SIGNATURE' && !mayHaveBeenSent(request, contract)) {
    return refusedUnsignable(ctx, story);
  }

  const owed = await ctx.writer.write((db) => storeAndOwe(ctx, db, story));
  if (!owed) return repeat(ctx);
  // Not claimed: another delivery's work is under way, and answers for both.
  if (owed.claimed) void ctx.jobs.run(owed.claimed);
  return answerFor(ctx, await owed.outcome);
}

/** Whatever becomes of the request: this contract does not count any more. */
async function replaced(ctx: Context, story: Story): Promise<WebhookAnswer> {
  const { event, contract, request } = story;
  if (!findInboxEvent(ctx.db, 'signature', event.eventKey)) {
    await ctx.writer.write((db) => {
      storeFinished(ctx, db, story, 'refused', 'not_signable');
      const by = { actor: WEBHOOK, now: iso(ctx.clock.now()) };
      if (!isForeign(event, contract)) tellReplacedSigned(db, contract, by);
    });
  }
  return isSigned(request) ? repeat(ctx) : { status: 422 };
}

/** The end of its start was lost; the completion asks the provider how it stands. */
function mayHaveBeenSent(request: RequestRow, { signerId }: ContractRow): boolean {
  return isBeforeSending(request) && signerId === null;
}

function isSigned({ status }: RequestRow): boolean {
  return status === 'WAITING_PAYMENT' || status === 'COMPLETE';
}

function repeat(ctx: Context): WebhookAnswer {
  return { status: ctx.config.webhookRepeatStatus };
}

interface Owed {
  claimed: JobRow | undefined;
  outcome: Promise<HeardOutcome | undefined>;
}

/**
 * One transaction: the event, and the job that completes it, taken at once when this process has a slot free. Undefined:
 * another delivery has completed it since this one was looked at.
 */
function storeAndOwe(ctx: Context, db: Db, story: Story): Owed | undefined {
  if (isSigned(findRequest(db, story.request.id) as RequestRow)) return undefined;
  const now = iso(ctx.clock.now());
  if (!store(db, story, { state: 'received', outcome: null, now })) openAgain(db, story.event);
  const { event, contract } = story;
  const { id, claimed } = ctx.jobs.enqueueHere(
    db,
    completionJob(contract, { provedAt: event.happenedAt, now }),
  );
  return { claimed, outcome: ctx.jobs.nextOutcome(id, ctx.webhookPatienceMs) };
}

/** The same event as before: what was refused then, because the request did not wait yet, is not refused now. */
function openAgain(db: Db, { eventKey }: SignatureEvent): void {
  const { id, state } = findInboxEvent(db, 'signature', eventKey) as InboxRow;
  if (state !== 'received') settleInboxEvent(db, { id, state: 'received', outcome: null, finishedAt: null });
}

/** Of the deliveries that hear of one completion, the first has done it; to the others it is a repeat. */
function answerFor(ctx: Context, heard: HeardOutcome | undefined): WebhookAnswer {
  if (heard?.state !== 'completed') return { status: 202 };
  switch (heard.outcome as Completion) {
    case 'completed':
      return heard.take() ? { status: 200 } : repeat(ctx);
    case 'repeat':
      return repeat(ctx);
    case 'late':
    case 'foreign':
    case 'not_signable':
      return { status: 422 };
  }
}

async function refusedUnsignable(ctx: Context, story: Story): Promise<WebhookAnswer> {
  await ctx.writer.write((db) => storeFinished(ctx, db, story, 'refused', 'not_signable'));
  return { status: 422 };
}

async function ended(ctx: Context, story: Story, reason: ProviderEnd): Promise<WebhookAnswer> {
  const { event, contract } = story;
  if (findInboxEvent(ctx.db, 'signature', event.eventKey)) return { status: 200 };
  await ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    // The answer to our own withdrawing may come before its start or reset has gone on.
    const isWithdrawn = reason === 'canceled' || reason === 'deleted';
    const isOurs = isWithdrawn && isLocked(ctx, db, requestLock(contract.requestId));
    const ending = { reason, declineReason: event.declineReason, actor: WEBHOOK, now };
    const isEnded = !isOurs && endContract(db, contract, ending);
    storeFinished(ctx, db, story, isEnded ? 'done' : 'ignored', reason);
  });
  return { status: 200 };
}

/**
 * Activated, a link opened, a reminder sent: nothing is done for that. But when the end of the start was lost it shows
 * that the contract is out; what cannot be asked at once is found by the bulk check.
 */
async function heardOf(ctx: Context, story: Story): Promise<WebhookAnswer> {
  const answer = await ignored(ctx, story, 'not_used');
  const { contract } = story;
  if (isSendingUnfinished(contract) && !isLocked(ctx, ctx.db, requestLock(contract.requestId))) {
    await withinPatience(ctx, askAndCatchUp(ctx, contract, WEBHOOK));
  }
  return answer;
}

async function ignored(ctx: Context, heard: Heard, outcome: string): Promise<WebhookAnswer> {
  if (!findInboxEvent(ctx.db, 'signature', heard.event.eventKey)) {
    await ctx.writer.write((db) => storeFinished(ctx, db, heard, 'ignored', outcome));
  }
  return { status: 200 };
}

function storeFinished(
  ctx: Context,
  db: Db,
  heard: Heard,
  state: Exclude<InboxState, 'received'>,
  outcome: string,
): void {
  store(db, heard, { state, outcome, now: iso(ctx.clock.now()) });
}

/** False: the same event is already there. */
function store(
  db: Db,
  { event, contract, rawBody }: Heard,
  { state, outcome, now }: { state: InboxState; outcome: string | null; now: string },
): boolean {
  const id = insertInboxEvent(db, {
    source: 'signature',
    eventKey: event.eventKey,
    eventName: event.eventName,
    subjectId: event.signId ?? event.eventKey,
    contractId: contract?.id ?? null,
    body: rawBody,
    state,
    outcome,
    receivedAt: now,
    finishedAt: state === 'received' ? null : now,
  });
  return id !== undefined;
}
