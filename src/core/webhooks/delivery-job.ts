/** The job that sends one delivery to one subscription. */
import { command } from '../commands.js';
import { failDelivery, findDeliveryToSend } from '../../db/webhooks/deliveries.js';
import { refused } from '../errors.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { HOUR, MINUTE, SECOND } from '../jobs/retry-policy.js';
import { whyNotSendable } from './sendable.js';

interface Payload {
  deliveryId: number;
}

export type DeliveryJob = JobOf<'deliver-webhook', Payload>;

export const deliveryJob: JobKind<'deliver-webhook', Payload> = {
  name: 'deliver-webhook',
  waitsMs: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
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
