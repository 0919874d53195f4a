/** Reports of trouble, as their lists show them (rules 6). */
import { TROUBLESHOOTING_STATUSES } from '../lifecycle.js';
import type { TroubleshootingRow } from '../../db/schema.js';
import { CREATED_AT, ID, REFERENCE, REQUEST_ID, STATUS } from './fields.js';
import { asStored, readsOf, choice, declare, ref, span } from './resource.js';

export const TROUBLESHOOTINGS = declare<TroubleshootingRow>()({
  noun: 'troubleshooting',
  isCounted: true,
  lead: 'reference',
  spare: ['createdAt'],
  fields: {
    id: ID,
    reference: REFERENCE,
    requestId: REQUEST_ID,
    description: { kind: 'text', label: 'evidence.description', under: 'reference', isLong: true },
    status: STATUS,
    createdAt: CREATED_AT,
    updatedAt: { kind: 'time', forPrograms: true },
  },
  filters: {
    status: choice(TROUBLESHOOTING_STATUSES, {
      label: 'list.status',
      about: 'with this status',
      said: 'state',
    }),
    createdAt: span({ label: 'list.createdAt', about: 'created' }),
    request: ref('requests', { label: 'list.request', about: 'about this request' }),
  },
  orders: { createdAt: 'asc' },
  readers: 'owner',
  load: async () => {
    const { listTroubleshootings, walkTroubleshootings } = await import('../../db/requests/attached.js');
    return readsOf(listTroubleshootings, walkTroubleshootings, asStored);
  },
});
