/** Outbound webhooks, as their lists show them (rules 8). */
import { outcomeWords, EVENT_NAMES } from '../webhooks/words.js';
import type { ShownWebhook } from '../webhooks/webhooks.js';
import { CREATED_AT, ID } from './fields.js';
import { asStored, readsOf, choice, declare, flag, ref } from './resource.js';

export const WEBHOOKS = declare<ShownWebhook>()({
  noun: 'webhook',
  lead: 'url',
  spare: [
    'createdAt',
    'failingSince',
    'failures',
    'lastErrorAt',
    'disabledReason',
    'lastSuccessAt',
    'lastError',
    'owner',
  ],
  fields: {
    id: ID,
    url: { kind: 'address', to: ({ id }) => `/admin/webhooks/${id}`, isLink: true },
    event: { kind: 'text', under: 'url' },
    owner: {
      kind: 'address',
      label: 'list.webhook_owner',
      to: ({ ownerId }) => `/admin/users/${ownerId}`,
      fold: 'lg',
    },
    active: {
      kind: 'flag',
      label: 'list.status',
      of: ({ active }) => active === 1,
      state: ({ active }) => (active === 1 ? 'enabled' : 'off'),
    },
    disabledReason: {
      kind: 'text',
      words: ({ disabledReason }, say) => say.find(`webhook_off.${disabledReason}`) ?? disabledReason ?? '',
      under: 'active',
      fold: 'lg',
    },
    failures: { kind: 'text', under: 'lastErrorAt', isNumber: true, fold: 'lg' },
    failingSince: { kind: 'time', under: 'lastErrorAt', fold: 'lg' },
    lastSuccessAt: { kind: 'time', time: 'ago', fold: 'md' },
    lastErrorAt: { kind: 'time', time: 'ago', fold: 'lg' },
    lastError: {
      kind: 'text',
      words: ({ lastError }, say) => outcomeWords(say, lastError ?? ''),
      under: 'lastErrorAt',
      isSaid: true,
      isLong: true,
    },
    createdAt: CREATED_AT,
  },
  filters: {
    owner: ref('users', { label: 'list.webhook_owner', about: 'of this user' }),
    event: choice(EVENT_NAMES, { label: 'list.event', about: 'for this event' }),
    active: flag({
      label: 'list.status',
      about: 'that are switched on, or off',
      states: ['enabled', 'off'],
    }),
  },
  orders: { createdAt: 'asc', url: 'asc' },
  readers: 'owner',
  load: async () => {
    const { listWebhooks, walkWebhooks } = await import('../../db/webhooks/webhooks.js');
    return readsOf(listWebhooks, walkWebhooks, asStored);
  },
});
