/** Deliveries to subscriptions (rules 8): shown with their attempts, sent again; and pings. */
import type { Db } from '../../db/db.js';
import { requireJobByKey, listJobsByKeys, promoteJob } from '../../db/jobs/jobs.js';
import type { DeliveryAttemptRow, DeliveryRow, DeliveryState, UserRow } from '../../db/schema.js';
import {
  findDelivery,
  requireDeliveryToSend,
  listAttempts,
  listDeliveries,
  listDeliveryPage,
  setDeliveryState,
  listDeliveriesIn,
  type ShownDelivery,
} from '../../db/webhooks/deliveries.js';
import { ANY_TIME, portionsOf } from '../calls/listing.js';
import { readsOf } from '../resources/resource.js';
import type { EachAct, Tried } from '../calls/each-act.js';
import { tryEach, type InTurn } from '../calls/round.js';
import { change, type By, type Change } from '../change.js';
import type { Advice } from '../commands.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { attemptOnce } from '../jobs/waiting.js';
import { deliveryJob, deliveryJobKey, PING, SWITCHED_OFF, whyNotSendable } from './delivery-job.js';
import { contentOf, enqueueDelivery, laneOf, pingLaneOf } from './events.js';
import { getWebhook, getWebhookOf } from './webhooks.js';
import { listLastErrors } from '../../db/webhooks/webhooks.js';

type Reader = Pick<Context, 'db'>;

/** A delivery with the log of its attempts, oldest first. */
export interface DeliveryView {
  delivery: ShownDelivery;
  attempts: DeliveryAttemptRow[];
  /** ISO 8601; null when no further attempt is due. */
  nextTryAt: string | null;
  /** What went wrong at the receiver, in a word; null when it has arrived, or nothing was attempted yet. */
  error: string | null;
}

/** Each with its log; the logs and the waiting jobs are read together. */
export function deliveryViews(db: Db, deliveries: readonly ShownDelivery[]): DeliveryView[] {
  const deliveryIds = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(listAttempts(db, { deliveryIds }), ({ deliveryId }) => deliveryId);
  const pending = deliveries.filter(({ state }) => state === 'pending').map(({ id }) => deliveryJobKey(id));
  const tries = new Map(
    listJobsByKeys(db, { uniqueKeys: pending }).map(({ uniqueKey, runAt }) => [uniqueKey, runAt]),
  );
  const webhookIds = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const errors = new Map(listLastErrors(db, { ids: webhookIds }).map(({ id, lastError }) => [id, lastError]));
  return deliveries.map((delivery) => {
    const log = attempts.get(delivery.id) ?? [];
    return {
      delivery,
      attempts: log,
      nextTryAt: tries.get(deliveryJobKey(delivery.id)) ?? null,
      error: realError(delivery, log, errors.get(delivery.webhookId) ?? null),
    };
  });
}

/** Of a webhook that its reader may see. */
export const deliveryReads = readsOf(listDeliveryPage, listDeliveries, deliveryViews);

/** Its own last error, or the subscription's when that was off before this one was tried. */
function realError(
  { state }: DeliveryRow,
  attempts: readonly DeliveryAttemptRow[],
  ofWebhook: string | null,
): string | null {
  if (state === 'delivered') return null;
  const own = attempts.findLast(({ outcome }) => outcome !== SWITCHED_OFF && outcome !== 'delivered');
  return own?.outcome ?? (attempts.length > 0 ? ofWebhook : null);
}

function viewOf(db: Db, delivery: ShownDelivery): DeliveryView {
  const [view] = deliveryViews(db, [delivery]) as [DeliveryView];
  return view;
}

/** One delivery, without a check of rights; throws `not_found`. */
export function getDelivery({ db }: Reader, id: number): DeliveryView {
  const delivery = findDelivery(db, { id });
  if (!delivery) throw notFound('not_found', `There is no delivery ${id}.`);
  return viewOf(db, delivery);
}

/** Throws `not_found`, also for somebody else's subscription. */
export function getDeliveryOf({ db }: Reader, user: UserRow, id: number): DeliveryView {
  const delivery = findDelivery(db, { id });
  if (!delivery) throw notFound('not_found', 'Not Found');
  getWebhookOf({ db }, user, delivery.webhookId);
  return viewOf(db, delivery);
}

export function newestDeliveries({ db }: Reader, webhookId: number, limit: number): DeliveryView[] {
  const filter = { webhook: [webhookId], status: null, request: null, createdAt: ANY_TIME };
  return deliveryViews(db, listDeliveries(db, { filter, direction: 'desc', limit }));
}

export interface FailedAsked {
  webhookId?: number | undefined;
  /** ISO 8601: made at this time or later. */
  since?: string | undefined;
}

/** What never arrived and could be sent again, oldest first; pings are left out. */
export function failedDeliveryIds({ db }: Reader, asked: FailedAsked): number[] {
  if (asked.webhookId !== undefined) getWebhook({ db }, asked.webhookId);
  return listDeliveriesIn(db, 'failed', { ...asked, event: PING }).map(({ id }) => id);
}

/** What has not arrived yet and is tried again by itself; pings are left out. */
export function countWaitingDeliveries({ db }: Reader, asked: FailedAsked): number {
  return listDeliveriesIn(db, 'pending', { ...asked, event: PING }).length;
}

const PORTION = 100;

/** Enqueues everything that never arrived at a subscription again; returns how many. Throws `webhook_disabled`. */
export async function redeliverFailed(ctx: Context, webhookId: number, by: By): Promise<number> {
  const ids = failedDeliveryIds(ctx, { webhookId });
  for (const portion of portionsOf(ids, PORTION)) {
    await change(ctx, by, (tx) => portion.forEach((id) => void oweAgain(tx, id)));
  }
  return ids.length;
}

/**
 * Sends a delivery again, with all its attempts: the same bytes under the same id. A waiting one is sent now. Refuses
 * with `webhook_disabled` while the subscription is disabled.
 */
export function redeliver(ctx: Context, id: number, by: By): Promise<DeliveryView> {
  return change(ctx, by, (tx) => oweAgain(tx, id));
}

function oweAgain(tx: Change, id: number): DeliveryView {
  const { db, now, reason } = tx;
  const { delivery, webhook } = getResendable(tx, id);
  const { signature, event, requestId } = delivery;
  setDeliveryState(db, { id, state: 'pending', signature, finishedAt: null });
  const lane = event === PING ? pingLaneOf(webhook) : laneOf(webhook);
  const about = { requestId, contractId: null };
  const job = tx.enqueueAgain(deliveryJob, { deliveryId: id }, { ...about, lane });
  promoteJob(db, { id: job.id, runAt: now });
  tx.record('webhook.redelivered', about, { webhookId: webhook.id, deliveryId: id, event, reason });
  return getDelivery(tx, id);
}

/** Throws `not_found`, or `webhook_disabled` while the subscription is disabled. */
function getResendable({ db }: Reader, id: number) {
  const { delivery } = getDelivery({ db }, id);
  const webhook = getWebhook({ db }, delivery.webhookId);
  const refusal = whyNotSendable(requireDeliveryToSend(db, { id }));
  if (refusal) throw refusal;
  return { delivery, webhook };
}

/** Enqueues a ping to a subscription, enabled or not; it is attempted once. */
export function ping(ctx: Context, webhookId: number, by: By): Promise<DeliveryView> {
  return change(ctx, by, (tx) => {
    const { db, now, reason } = tx;
    const webhook = getWebhook(tx, webhookId);
    const content = contentOf(PING, { id: webhookId, reference: PING, status: 'active' }, now);
    const lane = pingLaneOf(webhook);
    const deliveryId = enqueueDelivery(db, webhookId, { event: PING, content, now, lane });
    tx.record('webhook.pinged', null, { webhookId, deliveryId, reason });
    return getDelivery(tx, deliveryId);
  });
}

export interface Redelivery {
  id: number;
  /** Null when it could not be redelivered. */
  state: DeliveryState | null;
  /** The attempt's outcome, or why there was none. */
  outcome: Advice | null;
  nextTryAt: string | null;
}

/** Redelivers each and waits for one attempt. */
export function redeliverAll(
  ctx: Context,
  ids: readonly number[],
  options: InTurn<Redelivery>,
): Promise<Tried<Redelivery>[]> {
  return tryEach(redelivery(ctx, options), ids, options);
}

export function redelivery(
  ctx: Context,
  { signal, actor, reason }: By & Pick<InTurn<Redelivery>, 'signal'>,
): EachAct<ReturnType<typeof getResendable>, Redelivery> {
  return {
    find: (id) => getResendable(ctx, id),
    async run(id) {
      const owed = await redeliver(ctx, id, { actor, reason });
      const { delivery, attempts, nextTryAt } = await tried(ctx, owed, signal);
      return { id, state: delivery.state, outcome: attempts.at(-1)?.outcome ?? null, nextTryAt };
    },
    untried: (id, found, outcome) => ({ id, state: found?.delivery.state ?? null, outcome, nextTryAt: null }),
  };
}

export async function pingAndWait(
  ctx: Context,
  webhookId: number,
  { signal, ...by }: By & { signal?: AbortSignal },
): Promise<DeliveryView> {
  return tried(ctx, await ping(ctx, webhookId, by), signal);
}

async function tried(
  ctx: Context,
  { delivery: { id } }: DeliveryView,
  signal: AbortSignal | undefined,
): Promise<DeliveryView> {
  await attemptOnce(ctx, requireJobByKey(ctx.db, { uniqueKey: deliveryJobKey(id) }), signal);
  return getDelivery(ctx, id);
}
