/**
 * The deliver-webhook job: one try of one delivery (decisions 5, 8). What came of it stands in the delivery's log; the
 * state of the delivery is written in the transaction that settles the job.
 */
import type { Db } from '../../db/db.js';
import {
  findDeliveryToSend,
  insertAttempt,
  setDeliveryState,
  type DeliveryToSend,
} from '../../db/deliveries.js';
import type { DeliveryState } from '../../db/schema.js';
import { forgetFailures } from '../../db/webhooks.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { TriedInVain } from '../jobs/give-back.js';
import type { Job } from '../jobs/kinds.js';
import type { JobResult } from '../jobs/attempts.js';
import { nextTryAt } from '../jobs/retry-policy.js';
import { packageVersion } from '../version.js';
import { disableGone, noteFailure } from './disable-webhook.js';
import type { Answer } from './outbound.js';
import { retryAfterMs } from './retry-after.js';
import { isWanted, PING } from './sendable.js';
import { bodySignature, signatureHeaders, signedBody } from './signatures.js';

/** The handler. Rejects with TriedInVain when the delivery is to be tried again. */
export async function deliverWebhook(
  ctx: Context,
  job: Job<'deliver-webhook'>,
  signal: AbortSignal,
): Promise<JobResult> {
  const delivery = findDeliveryToSend(ctx.db, job.payload.deliveryId);
  if (!delivery) return { outcome: 'subscription_deleted' };
  if (!isWanted(delivery)) return drop(ctx, job, delivery);

  const at = iso(ctx.clock.now());
  const { answer, signature } = await send(ctx, delivery, signal);
  const tried = { delivery, answer, signature, at };
  if (answer.outcome === 'delivered')
    return { settle: (db) => delivered(ctx, db, tried), outcome: 'delivered' };
  if (answer.status === 410 && delivery.event !== PING) {
    return { settle: (db) => gone(ctx, db, tried), outcome: answer.outcome };
  }
  // Tried once: whoever pings wants to know now.
  if (delivery.event === PING) {
    return { settle: (db) => store(ctx, db, tried, 'failed'), outcome: answer.outcome };
  }
  throw new TriedInVain(answer.outcome, {
    retryAfterMs: retryAfterMs(answer, ctx.clock.now()),
    settle: (db, state) => failed(ctx, db, tried, state),
  });
}

interface Tried {
  delivery: DeliveryToSend;
  answer: Answer;
  /** Null: it was never signed. */
  signature: string | null;
  at: string;
}

async function send(ctx: Context, delivery: DeliveryToSend, signal: AbortSignal) {
  const secrets = secretsOf(ctx, delivery);
  const signature = delivery.signature ?? bodySignature(secrets[0] as string, delivery.content);
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

/** The current secret, and the one before while it is still valid. */
function secretsOf(ctx: Context, { secret, oldSecret, oldSecretUntil }: DeliveryToSend): string[] {
  const isOldValid = oldSecret !== null && (oldSecretUntil as string) > iso(ctx.clock.now());
  return [secret, ...(isOldValid ? [oldSecret] : [])].map((sealed) => ctx.outbound.secrets.unseal(sealed));
}

function delivered(ctx: Context, db: Db, tried: Tried): void {
  store(ctx, db, tried, 'delivered');
  forgetFailures(db, tried.delivery.webhookId);
}

function gone(ctx: Context, db: Db, tried: Tried): void {
  store(ctx, db, tried, 'failed');
  disableGone(ctx, db, tried.delivery.webhookId, tried.answer.outcome);
}

function failed(ctx: Context, db: Db, tried: Tried, state: 'available' | 'failed'): void {
  const isLast = state === 'failed';
  store(ctx, db, tried, isLast ? 'failed' : 'pending');
  const { delivery, answer, at } = tried;
  noteFailure(ctx, db, { webhookId: delivery.webhookId, at, error: answer.outcome, isLast });
}

/** One that a person has run again goes back to the failed list: it would be gone from there without having been sent. */
function drop(
  ctx: Context,
  { kind, attempt, replays }: Job<'deliver-webhook'>,
  delivery: DeliveryToSend,
): JobResult {
  const settle = (db: Db) => dropped(ctx, db, delivery);
  const isLast = nextTryAt(kind, attempt, ctx.clock.now()) === undefined;
  if (replays > 0 && isLast) throw new TriedInVain(NOT_SENT.outcome, { retryAfterMs: 0, settle });
  return { settle, outcome: NOT_SENT.outcome };
}

/** Nobody listens any more: it is not sent, and can be sent again by hand when somebody does. */
function dropped(ctx: Context, db: Db, delivery: DeliveryToSend): void {
  const { signature } = delivery;
  store(ctx, db, { delivery, answer: NOT_SENT, signature, at: iso(ctx.clock.now()) }, 'failed');
}

const NOT_SENT: Answer = { outcome: 'webhook_disabled', status: null, headers: {}, body: '', ms: 0 };

function store(ctx: Context, db: Db, { delivery, answer, signature, at }: Tried, state: DeliveryState): void {
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
  const finishedAt = state === 'pending' ? null : iso(ctx.clock.now());
  setDeliveryState(db, { id: deliveryId, state, signature, finishedAt });
}
