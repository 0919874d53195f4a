/** What was sent to subscribers, as its lists show it (rules 8). */
import type { DeliveryView } from '../webhooks/deliveries.js';
import { outcomeWords, DELIVERY_STATES } from '../webhooks/words.js';
import { choice, declare, ref, span } from './resource.js';

export const DELIVERIES = declare<DeliveryView>()({
  noun: ['delivery', 'deliveries'],
  lead: 'event',
  spare: ['finishedAt', 'attempts', 'webhookId', 'createdAt', 'url', 'nextTryAt'],
  fields: {
    id: { kind: 'id', of: ({ delivery }) => delivery.id },
    event: {
      kind: 'text',
      of: ({ delivery }) => delivery.event,
      to: ({ delivery }) => `/admin/deliveries/${delivery.id}`,
    },
    webhookId: {
      kind: 'ref',
      label: 'list.webhook',
      of: ({ delivery }) => delivery.webhookId,
      to: ({ delivery }) => `/admin/webhooks/${delivery.webhookId}`,
      isNumber: true,
      fold: 'lg',
    },
    url: { kind: 'address', of: ({ delivery }) => delivery.url, under: 'event', isLink: true, fold: 'lg' },
    state: { kind: 'state', label: 'list.status', of: ({ delivery }) => delivery.state },
    lastError: {
      kind: 'text',
      of: ({ error }) => error,
      words: ({ error }, say) => (error === null ? '' : outcomeWords(say, error)),
      under: 'state',
      isSaid: true,
      isLong: true,
    },
    lastOutcome: {
      kind: 'text',
      label: 'list.outcome',
      of: ({ attempts }) => attempts.at(-1)?.outcome ?? null,
      words: ({ attempts }, say) => outcomeWords(say, attempts.at(-1)?.outcome ?? ''),
      forPrograms: true,
    },
    attempts: { kind: 'text', of: ({ attempts }) => attempts.length, isNumber: true, fold: 'lg' },
    requestId: {
      kind: 'ref',
      label: 'list.request',
      of: ({ delivery }) => delivery.requestId,
      to: ({ delivery: { requestId } }) => `/admin/requests/${requestId}`,
      isNumber: true,
      fold: 'md',
    },
    createdAt: { kind: 'time', of: ({ delivery }) => delivery.createdAt, fold: 'md' },
    finishedAt: { kind: 'time', of: ({ delivery }) => delivery.finishedAt, under: 'createdAt', fold: 'lg' },
    nextTryAt: { kind: 'time', under: 'createdAt', fold: 'lg' },
    messageId: { kind: 'text', of: ({ delivery }) => delivery.messageId, forPrograms: true },
  },
  filters: {
    webhook: ref('webhooks', { label: 'list.webhook', about: 'to this webhook' }),
    status: choice(DELIVERY_STATES, { label: 'list.status', about: 'with this status', said: 'state' }),
    request: ref('requests', { label: 'list.request', about: 'about this request' }),
    createdAt: span({ label: 'list.createdAt', about: 'made' }),
  },
  orders: { createdAt: 'desc' },
  readers: 'owner',
  load: async () => (await import('../webhooks/deliveries.js')).deliveryReads,
});
