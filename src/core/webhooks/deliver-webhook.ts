/**
 * The deliver-webhook job: one attempt of one delivery (rules 5, 8). The attempt goes into the delivery's log; the
 * delivery's state is written in the transaction that settles the job. A subscription is disabled (rules 8) at once when the receiver
 * says it is gone, or when ten deliveries in a row have failed for good and nothing succeeded for a day; the administrator is notified.
 */
import {
  findDeliveryToSend,
  insertAttempt,
  setDeliveryState,
  type DeliveryToSend,
} from '../../db/webhooks/deliveries.js';
import type { DeliveryState, WebhookRow } from '../../db/schema.js';
import {
  countFailure,
  disableWebhook,
  forgetFailures,
  noteFailedAttempt,
  noteLastError,
  requireWebhook,
} from '../../db/webhooks/webhooks.js';
import { iso, DAY_MS } from '../clock.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { RetryableError } from '../jobs/release.js';
import type { JobResult } from '../jobs/kind.js';
import { mailJob } from '../mail/mail-job.js';
import { nextTryAt } from '../jobs/retry-policy.js';
import { packageVersion } from '../installation/version.js';
import { deliveryJob, type DeliveryJob, isWanted, PING, SWITCHED_OFF } from './delivery-job.js';
import type { Answer } from './outbound.js';
import { bodySignature, signatureHeaders, signedBody } from './signatures.js';

/** The handler. Rejects with RetryableError when the delivery must be retried. */
export async function deliverWebhook(
  ctx: Context,
  job: DeliveryJob,
  signal: AbortSignal,
): Promise<JobResult> {
  const delivery = findDeliveryToSend(ctx.db, { id: job.payload.deliveryId });
  if (!delivery) return { outcome: 'subscription_deleted' };
  if (!isWanted(delivery)) return drop(ctx, job, delivery);

  const at = iso(ctx.clock.now());
  const { answer, signature } = await send(ctx, delivery, signal);
  const tried = { delivery, answer, signature, at };
  if (answer.outcome === 'delivered') return { settle: (tx) => delivered(tx, tried), outcome: 'delivered' };
  if (answer.status === 410 && delivery.event !== PING) {
    return { settle: (tx) => gone(tx, tried), outcome: answer.outcome };
  }
  // Attempted once: the caller of a ping wants the answer now.
  if (delivery.event === PING) {
    return { settle: (tx) => store(tx, tried, 'failed'), outcome: answer.outcome };
  }
  throw new RetryableError(answer.outcome, {
    retryAfterMs: retryAfterMs(answer, ctx.clock.now()),
    settle: (tx, state) => failed(tx, tried, state),
  });
}

/** A receiver's `Retry-After` on 429 or 503, in seconds or as a date; a day at most. */
function retryAfterMs({ status, headers }: Answer, now: Date): number {
  if (status !== 429 && status !== 503) return 0;
  const value = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return ms > 0 ? Math.min(ms, DAY_MS) : 0;
}

interface Tried {
  delivery: DeliveryToSend;
  answer: Answer;
  /** Null when it was never signed. */
  signature: string | null;
  at: string;
}

async function send(ctx: Context, delivery: DeliveryToSend, signal: AbortSignal) {
  const secrets = secretsOf(ctx, delivery);
  const [current = ''] = secrets;
  const signature = delivery.signature ?? bodySignature(current, delivery.content);
  const body = signedBody(delivery.content, signature);
  const message = {
    messageId: delivery.messageId,
    timestamp: Math.floor(ctx.clock.now().getTime() / 1000),
    body,
  };
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-webhook-event': delivery.event,
    ...signatureHeaders(secrets, message),
  };
  return { answer: await ctx.outbound.post({ url: delivery.url, headers, body, signal }), signature };
}

const USER_AGENT = `esignd/${packageVersion()} (webhook)`;

function secretsOf(ctx: Context, { secret, oldSecret, oldSecretUntil }: DeliveryToSend): string[] {
  const isOldValid = oldSecret !== null && (oldSecretUntil ?? '') > iso(ctx.clock.now());
  return [secret, ...(isOldValid ? [oldSecret] : [])].map((sealed) => ctx.outbound.secrets.unseal(sealed));
}

function delivered(tx: Change, tried: Tried): void {
  store(tx, tried, 'delivered');
  forgetFailures(tx.db, { id: tried.delivery.webhookId });
}

function gone(tx: Change, tried: Tried): void {
  store(tx, tried, 'failed');
  const { delivery, answer, at } = tried;
  noteLastError(tx.db, { id: delivery.webhookId, at, error: answer.outcome });
  disable(tx, tried, 'gone');
}

function failed(tx: Change, tried: Tried, state: 'available' | 'failed'): void {
  const isLast = state === 'failed';
  store(tx, tried, isLast ? 'failed' : 'pending');
  const { delivery, answer, at } = tried;
  const id = delivery.webhookId;
  noteFailedAttempt(tx.db, { id, at, error: answer.outcome });
  if (isLast && isHopeless(countFailure(tx.db, { id }), tx.time)) disable(tx, tried, 'failing');
}

/** A replayed one returns to the failed list; otherwise it would leave it without having been sent. */
function drop(ctx: Context, { attempt, replays }: DeliveryJob, delivery: DeliveryToSend): JobResult {
  const settle = (tx: Change) => dropped(tx, delivery);
  const isLast = nextTryAt(deliveryJob, attempt, ctx.clock.now()) === undefined;
  if (replays > 0 && isLast) throw new RetryableError(NOT_SENT.outcome, { retryAfterMs: 0, settle });
  return { settle, outcome: NOT_SENT.outcome };
}

/** Nobody listens any more: it is not sent, and can be redelivered by hand later. */
function dropped(tx: Change, delivery: DeliveryToSend): void {
  const { signature } = delivery;
  store(tx, { delivery, answer: NOT_SENT, signature, at: tx.now }, 'failed');
}

const NOT_SENT: Answer = { outcome: SWITCHED_OFF, status: null, headers: {}, body: '', ms: 0 };

function store({ db, now }: Change, { delivery, answer, signature, at }: Tried, state: DeliveryState): void {
  const { id: deliveryId, url } = delivery;
  const { ms, outcome, status, headers, body } = answer;
  insertAttempt(db, {
    deliveryId,
    at,
    ms,
    url,
    outcome,
    status,
    headers: status === null ? null : JSON.stringify(headers),
    answer: status === null ? null : body,
  });
  const finishedAt = state === 'pending' ? null : now;
  setDeliveryState(db, { id: deliveryId, state, signature, finishedAt });
}

const FAILURES_MAX = 10;

function isHopeless({ failures, failingSince }: WebhookRow, now: Date): boolean {
  return failures >= FAILURES_MAX && now.getTime() - Date.parse(failingSince ?? iso(now)) >= DAY_MS;
}

/** `gone`: the receiver answered 410. */
function disable(tx: Change, { delivery, answer }: Tried, cause: 'failing' | 'gone'): void {
  const { db, now } = tx;
  const { webhookId } = delivery;
  const error = answer.outcome;
  const { url, event } = requireWebhook(db, { id: webhookId });
  if (!disableWebhook(db, { id: webhookId, reason: cause, now })) return;
  tx.record('webhook.disabled', null, { webhookId, cause, error });
  tx.enqueue(mailJob, { mail: 'webhook-disabled', webhookId, url, event, cause, error });
}
