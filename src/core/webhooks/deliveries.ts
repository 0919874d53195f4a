/** Sending a delivery again, and asking a receiver whether it is there. */
import {
  findDelivery,
  findDeliveryToSend,
  setDeliveryState,
  type DeliveryToSend,
} from '../../db/deliveries.js';
import { findJob, hastenJob } from '../../db/jobs.js';
import type { JobRow, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { contentOf, deliveryJobKey, oweDelivery } from '../events.js';
import { record } from '../history.js';
import { enqueueAgain, JOBS_TOPIC } from '../jobs/queue.js';
import { getDelivery, viewsOf, type DeliveryView } from './browse-deliveries.js';
import { getWebhook } from './browse-webhooks.js';
import { laneOf, pingLaneOf } from './lane.js';
import { PING, whyNotSendable } from './sendable.js';
import { getWebhookOf, type ByHand } from './webhooks.js';

export type { DeliveryView };

/** Throws `not_found` in the same words for one that is not there and for one of somebody else's subscription. */
export function getDeliveryOf({ db }: Pick<Context, 'db'>, user: UserRow, id: number): DeliveryView {
  const delivery = findDelivery(db, id);
  if (!delivery) throw notFound('not_found', 'Not Found');
  getWebhookOf({ db }, user, delivery.webhookId);
  return viewsOf(db, [delivery])[0] as DeliveryView;
}

/**
 * Sends a delivery again, with all its tries before it: the same bytes under the same id. One that waits for its next try
 * is tried now. Refuses with `webhook_disabled` while the subscription is switched off.
 */
export function redeliver(ctx: Context, id: number, { actor, reason }: ByHand): Promise<DeliveryView> {
  return ctx.writer.write((db) => {
    const { delivery, webhook } = getResendable({ db }, id);
    const now = iso(ctx.clock.now());
    const { signature, event } = delivery;
    setDeliveryState(db, { id, state: 'pending', signature, finishedAt: null });
    const job = enqueueAgain(db, {
      kind: 'deliver-webhook',
      payload: { deliveryId: id },
      uniqueKey: deliveryJobKey(id),
      now,
      lane: event === PING ? pingLaneOf(webhook) : laneOf(webhook),
    });
    hastenJob(db, { id: job.id, runAt: now });
    db.announce(JOBS_TOPIC);
    const { requestId } = findJob(db, job.id) as JobRow;
    const detail = { webhookId: webhook.id, deliveryId: id, event, ...(reason && { reason }) };
    record(db, { at: now, actor, what: 'webhook.redelivered', requestId, detail });
    return getDelivery({ db }, id);
  });
}

/** Throws `not_found`, and `webhook_disabled` while the subscription is switched off. */
export function getResendable({ db }: Pick<Context, 'db'>, id: number) {
  const { delivery } = getDelivery({ db }, id);
  const webhook = getWebhook({ db }, delivery.webhookId);
  const refusal = whyNotSendable(findDeliveryToSend(db, id) as DeliveryToSend);
  if (refusal) throw refusal;
  return { delivery, webhook };
}

/** Owes a ping to a subscription, be it on or off; it is tried once. */
export function ping(ctx: Context, webhookId: number, { actor, reason }: ByHand): Promise<DeliveryView> {
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    const webhook = getWebhook({ db }, webhookId);
    const content = contentOf(PING, { id: webhookId, reference: PING, status: 'active' }, now);
    const lane = pingLaneOf(webhook);
    const deliveryId = oweDelivery(db, webhookId, { event: PING, content, now, lane });
    const detail = { webhookId, deliveryId, ...(reason && { reason }) };
    record(db, { at: now, actor, what: 'webhook.pinged', requestId: null, detail });
    return getDelivery({ db }, deliveryId);
  });
}
