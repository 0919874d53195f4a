/** Reports of trouble, as their lists show them (rules 6). */
import { TROUBLESHOOTING_STATUSES } from '../lifecycle.js';
import type { TroubleshootingRow } from '../../db/schema.js';
import { CREATED_AT, ID, REFERENCE, REQUEST_ID, STATUS } from './fields.js';
import { choice, declare, ref, span, type PagedReads } from './resource.js';

const filters = {
  status: choice(TROUBLESHOOTING_STATUSES, {
    label: 'list.status',
    about: 'with this status',
    said: 'state',
  }),
  createdAt: span({ label: 'list.createdAt', about: 'created' }),
  request: ref('requests', { label: 'list.request', about: 'about this request' }),
};
const orders = { createdAt: 'asc' } as const;

export type TroubleshootingReads = PagedReads<TroubleshootingRow, typeof filters, keyof typeof orders>;

export const TROUBLESHOOTINGS = declare<TroubleshootingRow>()({
  noun: 'troubleshooting',
  isCounted: true,
  lead: 'reference',
  spare: ['createdAt'],
  fields: {
    id: ID,
    reference: REFERENCE,
    requestId: REQUEST_ID,
    description: {
      kind: 'text',
      label: 'evidence.description',
      of: ({ description }) => description,
      under: 'reference',
      isLong: true,
    },
    status: STATUS,
    createdAt: CREATED_AT,
    updatedAt: { kind: 'time', label: 'list.updatedAt', of: ({ updatedAt }) => updatedAt, forPrograms: true },
  },
  filters,
  orders,
  readers: 'owner',
  load: () => import('../troubleshootings/list-troubleshootings.js'),
});
