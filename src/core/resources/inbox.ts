/** What the providers have sent us, as its lists show it. */
import type { ListedEvent, RejectedDeliveryRow } from '../inbox/inbox.js';
import { CONTRACT_ID, ID, REQUEST_ID } from './fields.js';
import { choice, declare, span, text, type Reads, describe } from './resource.js';

const filters = {
  subject: text({ label: 'list.subject', about: 'about this signId or paymentId' }),
  source: choice(['signature', 'payment'], {
    label: 'list.source',
    about: 'from this provider',
    said: 'timeline.source',
  }),
  status: choice(['received', 'done', 'refused', 'ignored'], {
    label: 'list.status',
    about: 'with this status',
    said: 'state',
  }),
  receivedAt: span({ label: 'list.receivedAt', about: 'received' }),
};
const orders = { receivedAt: 'desc' } as const;

export type InboxReads = Reads<ListedEvent, typeof filters, keyof typeof orders>;

export const INBOX = declare<ListedEvent>()({
  noun: 'event',
  lead: 'eventName',
  spare: ['finishedAt', 'contractId', 'source', 'subjectId', 'receivedAt'],
  fields: {
    id: ID,
    eventName: { kind: 'address', label: 'list.event', to: ({ id }) => `/admin/inbox/${id}` },
    source: { kind: 'text', words: ({ source }, say) => say(`timeline.source.${source}`), fold: 'lg' },
    subjectId: { kind: 'address', label: 'list.about', under: 'eventName' },
    state: { kind: 'state', label: 'list.status', of: ({ state }) => state },
    outcome: {
      kind: 'text',
      words: ({ outcome }, say) => say.find(`inbox.outcome.${outcome}`) ?? outcome ?? '',
      under: 'state',
      isLong: true,
    },
    requestId: { ...REQUEST_ID, fold: 'md' },
    contractId: CONTRACT_ID,
    receivedAt: { kind: 'time', fold: 'lg' },
    finishedAt: { kind: 'time', under: 'receivedAt', fold: 'lg' },
    eventKey: { kind: 'text', forPrograms: true },
  },
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../inbox/inbox.js'),
});

// Calls that were turned away, as the lists of the inbox show them.

export const REJECTED = describe<RejectedDeliveryRow>()({
  lead: 'reason',
  spare: ['size'],
  fields: {
    at: { kind: 'time', label: 'list.receivedAt', of: ({ at }) => at },
    source: { kind: 'text', words: ({ source }, say) => say(`timeline.source.${source}`), under: 'reason' },
    reason: {
      kind: 'text',
      label: 'list.disabledReason',
      words: ({ reason }, say) => say.find(`inbox.rejected.${reason}`) ?? reason,
      isLong: true,
    },
    size: { kind: 'text', under: 'address', isNumber: true, fold: 'md' },
    address: { kind: 'address', label: 'mail.label.url', fold: 'md' },
    claimedId: {
      kind: 'text',
      label: 'list.about',
      to: ({ claimedId }) => `/admin/find?${new URLSearchParams({ q: claimedId ?? '' }).toString()}`,
      under: 'reason',
      isLong: true,
    },
  },
});
