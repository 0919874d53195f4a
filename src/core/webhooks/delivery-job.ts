/** The job that sends one delivery to one subscription. */
import { command } from '../commands.js';
import { failDelivery, findDeliveryToSend, type DeliveryToSend } from '../../db/webhooks/deliveries.js';
import { refused, type AppError } from '../errors.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';

interface Payload {
  deliveryId: number;
}

export type DeliveryJob = JobOf<'deliver-webhook', Payload>;

export const deliveryJob: JobKind<'deliver-webhook', Payload> = {
  name: 'deliver-webhook',
  waitsMs: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  slots: 64,
  isInLanes: true,
  // The office hears of a receiver when its subscription is disabled.
  failsQuietly: () => true,
  uniqueKey: ({ deliveryId }) => deliveryJobKey(deliveryId),
  load: async () => ({ run: (await import('./deliver-webhook.js')).deliverWebhook }),
  giveUp({ db, now }, { deliveryId }) {
    if (deliveryId !== undefined) failDelivery(db, { id: deliveryId, finishedAt: now });
  },
  whyPointless(db, { id, payload, state }) {
    const { deliveryId }: Partial<Payload> = JSON.parse(payload);
    const delivery = deliveryId === undefined ? undefined : findDeliveryToSend(db, { id: deliveryId });
    if (delivery) return whyNotSendable(delivery);
    // A waiting one notices this when it runs.
    if (state !== 'failed') return undefined;
    return refused('webhook_deleted', 'Its webhook was deleted, so there is nowhere left to send it.', [
      'Take it off the list: `',
      command('failed remove', id),
      '`.',
    ]);
  },
};

export const DELIVERY_KEY = 'delivery:';

export function deliveryJobKey(deliveryId: number): string {
  return DELIVERY_KEY + deliveryId;
}

// Whether a delivery would be sent if attempted now.

export const PING = 'ping';

/** The outcome of a delivery that was not sent because its subscription was off: no error of the receiver's. */
export const SWITCHED_OFF = 'webhook_disabled';

/** A ping is wanted even before the subscription is enabled. */
export function isWanted({ enabled, active, event }: DeliveryToSend): boolean {
  return enabled === 1 && (active === 1 || event === PING);
}

export function whyNotSendable(delivery: DeliveryToSend): AppError | undefined {
  if (isWanted(delivery)) return undefined;
  const { webhookId, enabled, owner } = delivery;
  return enabled === 1
    ? refused('webhook_disabled', `Webhook ${webhookId} is switched off.`, [
        'Switch it on first: `',
        command('webhooks enable', webhookId),
        '`.',
      ])
    : refused('webhook_disabled', `The account that webhook ${webhookId} belongs to is closed.`, [
        'Open it first: `',
        command('users enable', owner),
        '`.',
      ]);
}
