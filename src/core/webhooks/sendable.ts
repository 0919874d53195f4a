/** Whether a delivery would be sent if it were tried now: nobody is told that it was sent while nobody listens. */
import type { Db } from '../../db/db.js';
import { findDeliveryToSend, type DeliveryToSend } from '../../db/deliveries.js';
import type { JobRow } from '../../db/schema.js';
import { refused, type AppError } from '../errors.js';
import type { JobPayloads } from '../jobs/kinds.js';

export const PING = 'ping';

/** A ping asks whether the receiver is there, before the subscription is switched on. */
export function isWanted({ enabled, active, event }: DeliveryToSend): boolean {
  return enabled === 1 && (active === 1 || event === PING);
}

/** Why a delivery that is known cannot be sent now, with the command that mends it. */
export function whyNotSendable(delivery: DeliveryToSend): AppError | undefined {
  if (isWanted(delivery)) return undefined;
  const { webhookId, enabled, owner } = delivery;
  return enabled === 1
    ? refused(
        'webhook_disabled',
        `Webhook ${webhookId} is switched off.`,
        `Switch it on first: \`esignctl webhooks enable ${webhookId}\`.`,
      )
    : refused(
        'webhook_disabled',
        `The account that webhook ${webhookId} belongs to is closed.`,
        `Open it first: \`esignctl users enable ${owner}\`.`,
      );
}

/** Why one more try of this job would send nothing; undefined: it sends, or is about no delivery. */
export function whyInVain(
  db: Db,
  { id, kind, payload }: Pick<JobRow, 'id' | 'kind' | 'payload'>,
): AppError | undefined {
  if (kind !== 'deliver-webhook') return undefined;
  const { deliveryId } = JSON.parse(payload) as Partial<JobPayloads['deliver-webhook']>;
  const delivery = deliveryId === undefined ? undefined : findDeliveryToSend(db, deliveryId);
  if (delivery) return whyNotSendable(delivery);
  return refused(
    'webhook_deleted',
    'Its webhook was deleted, so there is nowhere left to send it.',
    `Take it off the list: \`esignctl failed remove ${id}\`.`,
  );
}
