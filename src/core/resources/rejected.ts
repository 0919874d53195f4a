/** Calls that were turned away, as the lists of the inbox show them. */
import type { RejectedDeliveryRow } from '../inbox/inbox.js';
import { describe } from './resource.js';

export const REJECTED = describe<RejectedDeliveryRow>()({
  lead: 'reason',
  spare: ['size'],
  fields: {
    at: { kind: 'time', label: 'list.receivedAt', of: ({ at }) => at },
    source: {
      kind: 'text',
      label: 'list.source',
      of: ({ source }) => source,
      words: ({ source }, say) => say(`timeline.source.${source}`),
      under: 'reason',
    },
    reason: {
      kind: 'text',
      label: 'list.disabledReason',
      of: ({ reason }) => reason,
      words: ({ reason }, say) => say.find(`inbox.rejected.${reason}`) ?? reason,
      isLong: true,
    },
    size: {
      kind: 'text',
      label: 'list.size',
      of: ({ size }) => size,
      under: 'address',
      isNumber: true,
      fold: 'md',
    },
    address: { kind: 'address', label: 'mail.label.url', of: ({ address }) => address, fold: 'md' },
    claimedId: {
      kind: 'text',
      label: 'list.about',
      of: ({ claimedId }) => claimedId,
      to: ({ claimedId }) => `/admin/find?${new URLSearchParams({ q: claimedId ?? '' }).toString()}`,
      under: 'reason',
      isLong: true,
    },
  },
});
