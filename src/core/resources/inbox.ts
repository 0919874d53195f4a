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
    eventName: {
      kind: 'address',
      label: 'list.event',
      of: ({ eventName }) => eventName,
      to: ({ id }) => `/admin/inbox/${id}`,
    },
    source: {
      kind: 'text',
      label: 'list.source',
      of: ({ source }) => source,
      words: ({ source }, say) => say(`timeline.source.${source}`),
      fold: 'lg',
    },
    subjectId: { kind: 'address', label: 'list.about', of: ({ subjectId }) => subjectId, under: 'eventName' },
    state: { kind: 'state', label: 'list.status', of: ({ state }) => state },
    outcome: {
      kind: 'text',
      label: 'list.outcome',
      of: ({ outcome }) => outcome,
      words: ({ outcome }, say) => say.find(`inbox.outcome.${outcome}`) ?? outcome ?? '',
      under: 'state',
      isLong: true,
    },
    requestId: { ...REQUEST_ID, fold: 'md' },
    contractId: CONTRACT_ID,
    receivedAt: { kind: 'time', label: 'list.receivedAt', of: ({ receivedAt }) => receivedAt, fold: 'lg' },
    finishedAt: {
      kind: 'time',
      label: 'list.finishedAt',
      of: ({ finishedAt }) => finishedAt,
      under: 'receivedAt',
      fold: 'lg',
    },
    eventKey: { kind: 'text', label: 'list.eventKey', of: ({ eventKey }) => eventKey, forPrograms: true },
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
