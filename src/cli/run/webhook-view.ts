/** Webhooks and deliveries as documents; times are as they are stored. */
import type { DeliveryView } from '../../core/webhooks/browse-deliveries.js';
import type { ListedWebhook } from '../../core/webhooks/browse-webhooks.js';
import { sentBody } from '../../core/webhooks/signatures.js';

/** Without the secret. */
export function webhookDocument(webhook: Omit<ListedWebhook, 'owner'>) {
  const { id, url, event, active, disabledReason, failures, failingSince, createdAt } = webhook;
  return { id, url, event, active: active === 1, disabledReason, failures, failingSince, createdAt };
}

/** `on`, `off`, or `off: failing` when it was not its owner who switched it off. */
export function stateOf({ active, disabledReason }: ReturnType<typeof webhookDocument>): string {
  if (active) return 'on';
  return disabledReason === null ? 'off' : `off: ${disabledReason}`;
}

export function deliveryDocument({ delivery, attempts, nextTryAt }: DeliveryView) {
  const { id, webhookId, event, messageId, state, createdAt, finishedAt } = delivery;
  return {
    id,
    webhookId,
    event,
    messageId,
    state,
    attempts: attempts.length,
    lastOutcome: attempts.at(-1)?.outcome ?? null,
    createdAt,
    finishedAt,
    nextTryAt,
  };
}

/** With the bytes, and the log in place of the number of tries. */
export function wholeDelivery(view: DeliveryView) {
  return {
    ...deliveryDocument(view),
    body: sentBody(view.delivery),
    attempts: view.attempts.map(({ at, ms, url, outcome, status, headers, answer }) => ({
      at,
      ms,
      url,
      outcome,
      status,
      headers: headers === null ? null : (JSON.parse(headers) as Record<string, string>),
      answer,
    })),
  };
}
