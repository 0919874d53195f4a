/**
 * Inbound signature webhook (rules 3, ADR 2), step by step. The provider hangs up after one second and calls
 * again, so a genuine event is stored before any work, together with a job that this call claims: whatever happens to
 * the caller or this process, the work gets done.
 */
import type { Db } from '../../db/db.js';
import { setFailedSigning } from '../../db/contracts/contracts.js';
import {
  findInboxEvent,
  requireInboxEvent,
  insertInboxEvent,
  settleInboxEvent,
} from '../../db/inbox/inbox.js';
import { findRequest } from '../../db/requests/requests.js';
import type { ContractRow, InboxState, RequestRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { openCaseAgain } from '../cases/cases.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import type { HeardOutcome } from '../jobs/kind.js';
import { enqueueAgain } from '../jobs/queue.js';
import { keyOfOwnName } from '../installation/identity.js';
import type { ProviderEnd } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import { reject, rejectForged, type InboundDelivery } from '../inbox/rejections.js';
import { applyDecision, UNFINISHED } from './apply.js';
import { isOurDoing } from './decide.js';
import {
  contractOfEvent,
  nameThere,
  withinPatience,
  END_EVENTS,
  SIGNED,
  SIGNER_ERROR,
  type SignatureEvent,
  UNDELIVERED,
  isForeign,
  isGenuine,
  parseSignatureEvent,
  workOfEvent,
} from './webhook-event.js';
import { decideHere, reconcile } from './reconcile.js';
import { rememberUnknown, contractOfSecond } from './unknown-signatures.js';
import { isSendingUnfinished } from './standing.js';

export interface WebhookAnswer {
  status: 200 | 202 | 400 | 401 | 404 | 422 | 429;
}

/** Returns the status of the answer, which has no body. Throws only when the event could not be stored. */
export async function receiveWebhook(ctx: Context, delivery: InboundDelivery): Promise<WebhookAnswer> {
  if (!isGenuine(delivery.rawBody, delivery.signature, ctx.config.webhookSecrets))
    return rejectForged(ctx, 'signature', delivery, 401);

  const event = parseSignatureEvent(delivery.rawBody);
  const { eventName, signId } = event ?? {};
  // A "signed" without an id must not be acknowledged.
  if (!event || (eventName === SIGNED && signId === undefined)) {
    return reject(ctx, 'signature', delivery, 400, 'unusable_body');
  }
  const contract = await contractOfEvent(ctx, event);
  const request = contract && findRequest(ctx.db, { id: contract.requestId });
  if (!contract || !request) return notOurs(ctx, event, delivery);

  const story = { event, contract, request, rawBody: delivery.rawBody };
  if (event.eventName === SIGNED) return signed(ctx, story);
  const reason = END_EVENTS[event.eventName];
  if (!reason) return heardOf(ctx, story);
  return isForeign(event, contract) ? ignored(ctx, story, 'foreign') : ended(ctx, story, reason);
}

const BY = { actor: WEBHOOK };

/**
 * The account may also report on documents of other installations and other systems. Only a "signed" that could be
 * ours and is unknown here must be sent again.
 */
async function notOurs(
  ctx: Context,
  event: SignatureEvent,
  delivery: InboundDelivery,
): Promise<WebhookAnswer> {
  const { signId } = event;
  const heard = { event, rawBody: delivery.rawBody };
  if (event.eventName !== SIGNED || signId === undefined)
    return ignored(ctx, heard, signId === undefined ? 'not_used' : 'unknown_signature');
  const externalId = event.externalId ?? (await withinPatience(ctx, nameThere(ctx, signId))) ?? null;
  if (externalId === null) return reject(ctx, 'signature', delivery, 404, 'unknown_sign_id');
  const second = { signId, externalId, status: 'done', createdAt: null, name: null };
  if (contractOfSecond(ctx.db, second))
    return finished(ctx, heard, (tx) => {
      rememberUnknown(tx, [second]);
      return ['ignored', 'second_document'];
    });
  if (keyOfOwnName(ctx.db, externalId) === undefined) return ignored(ctx, heard, 'unknown_signature');
  return reject(ctx, 'signature', delivery, 404, 'unknown_sign_id');
}

interface Heard {
  event: SignatureEvent;
  rawBody: Buffer;
  /** The contract it is about, if ours. */
  contract?: ContractRow;
}

interface Story extends Heard {
  contract: ContractRow;
  request: RequestRow;
}

async function signed(ctx: Context, story: Story): Promise<WebhookAnswer> {
  const { event, contract } = story;
  const heard = { signedAt: event.happenedAt };
  const { answer, effects } = decideHere(ctx, ctx.db, contract.id, { heard });
  if (answer === 'unavailable') return answerFor(ctx, await owe(ctx, story));
  // The provider may repeat it eight times, so a repeat costs no write.
  if (answer === 'repeat' && effects.length === 0) return repeat(ctx);
  // The contract was replaced, or its request canceled. Somebody else's document counts for nothing here.
  const trigger = { heard: isForeign(event, contract) ? null : heard };
  await finished(ctx, story, (tx) => {
    const decision = decideHere(ctx, tx.db, contract.id, trigger);
    applyDecision(ctx, tx, contract.id, { decision, fetched: {} });
    return ['refused', 'not_signable'];
  });
  return answer === 'repeat' ? repeat(ctx) : { status: 422 };
}

function repeat(ctx: Context): WebhookAnswer {
  return { status: ctx.config.webhookRepeatStatus };
}

/** Stores the event with its job, in one transaction, which this process begins if it has a free slot; what comes of that, if it comes soon enough. */
async function owe(ctx: Context, story: Story): Promise<HeardOutcome | undefined> {
  const { event, contract } = story;
  const { claimed, outcome } = await change(ctx, BY, (tx) => {
    if (store(tx, story, 'received', null)) recordError(tx, story);
    else openAgain(tx.db, event);
    const job = enqueueAgain(tx.db, workOfEvent(event, contract, tx.now));
    const claimed = ctx.jobs.claimHere(tx.db, job);
    return { claimed, outcome: ctx.jobs.nextOutcome(job.id, ctx.webhookPatienceMs) };
  });
  // When not claimed, another delivery's work is running and answers for both.
  if (claimed) void ctx.jobs.run(claimed);
  return outcome;
}

/** The same event again: refused before, because the request did not wait yet, it is accepted now. */
function openAgain(db: Db, { eventKey }: SignatureEvent): void {
  const { id, state } = requireInboxEvent(db, { source: 'signature', eventKey });
  if (state !== 'received') settleInboxEvent(db, { id, ...UNFINISHED, finishedAt: null });
}

/** Of several deliveries waiting for one completion, the first gets 200; for the others it is a repeat. */
function answerFor(ctx: Context, heard: HeardOutcome | undefined): WebhookAnswer {
  if (heard?.state !== 'completed' || heard.outcome === undefined) return { status: 202 };
  const isCompleted = heard.outcome === 'completed';
  if (heard.outcome === 'repeat' || (isCompleted && !heard.take())) return repeat(ctx);
  return { status: isCompleted ? 200 : 422 };
}

/** What is over here already needs no proof; anything else is true only if the provider says so when it is asked. */
async function ended(ctx: Context, story: Story, reason: ProviderEnd): Promise<WebhookAnswer> {
  const { event, contract } = story;
  if (findInboxEvent(ctx.db, { source: 'signature', eventKey: event.eventKey })) return { status: 200 };
  if (contract.status !== 'PENDING' || isOurDoing(isBusy(ctx, contract), reason)) {
    return finished(ctx, story, (tx) => {
      recordError(tx, story);
      return ['ignored', reason];
    });
  }
  const heard = await owe(ctx, story);
  return { status: heard?.state === 'completed' ? 200 : 202 };
}

function isBusy(ctx: Context, { requestId }: ContractRow): boolean {
  return isLocked(ctx, ctx.db, requestLock(requestId));
}

/** It may come before or after the end to which it leads. */
function recordError(tx: Change, { event, contract }: Story): void {
  const isNews = event.eventName === SIGNER_ERROR && contract.signedAt === null;
  if (!isNews) return;
  setFailedSigning(tx.db, { id: contract.id, now: tx.now });
  tx.record('contract.signer_error', ofContract(contract));
}

/** The provider's mail did not reach the customer. */
function undelivered(ctx: Context, story: Story): Promise<WebhookAnswer> {
  return finished(ctx, story, (tx) => {
    const about = ofContract(story.contract);
    openCaseAgain(tx, { kind: 'recipient_refused', subject: String(story.contract.id) }, about);
    tx.record('contract.signer_refused', about);
    return ['done', 'signer_refused'];
  });
}

/**
 * Activated, link opened, reminder sent: nothing to do, except when the end of the start was lost, because then it
 * shows that the contract was sent. What cannot be asked at once is left to the bulk check.
 */
async function heardOf(ctx: Context, story: Story): Promise<WebhookAnswer> {
  const { contract, event } = story;
  if (event.eventName === UNDELIVERED && !isForeign(event, contract)) return undelivered(ctx, story);
  const answer = await ignored(ctx, story, 'not_used');
  if (isSendingUnfinished(contract) && !isBusy(ctx, contract)) {
    await withinPatience(ctx, reconcile(ctx, contract.id, BY));
  }
  return answer;
}

function ignored(ctx: Context, heard: Heard, outcome: string): Promise<WebhookAnswer> {
  return finished(ctx, heard, () => ['ignored', outcome]);
}

type Finished = [state: Exclude<InboxState, 'received'>, outcome: string];

/** Does what an event asks for and stores it as finished; a repeat costs no write. */
async function finished(ctx: Context, heard: Heard, act: (tx: Change) => Finished): Promise<WebhookAnswer> {
  if (!findInboxEvent(ctx.db, { source: 'signature', eventKey: heard.event.eventKey }))
    await change(ctx, BY, (tx) => store(tx, heard, ...act(tx)));
  return { status: 200 };
}

/** False when the event is already stored. */
function store(
  { db, now }: Change,
  { event, contract, rawBody }: Heard,
  ...[state, outcome]: Finished | ['received', null]
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
