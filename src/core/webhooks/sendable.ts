/** Whether a delivery would be sent if attempted now. */
import type { DeliveryToSend } from '../../db/webhooks/deliveries.js';
import { command } from '../commands.js';
import { refused, type AppError } from '../errors.js';

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
