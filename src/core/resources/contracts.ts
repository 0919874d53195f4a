/** Contracts, as their lists show them (rules 6). */
import { CONTRACT_STATUSES } from '../lifecycle.js';
import type { ContractRow } from '../rows.js';
import { choice, declare, ref, span, type PagedReads } from './resource.js';

const filters = {
  status: choice(CONTRACT_STATUSES, { label: 'list.status', about: 'with this status', said: 'state' }),
  request: ref('requests', { label: 'list.request', about: 'of this request' }),
  createdAt: span({ label: 'list.createdAt', about: 'created' }),
};
const orders = { createdAt: 'desc' } as const;

export type ContractReads = PagedReads<ContractRow, typeof filters, keyof typeof orders>;

export const CONTRACTS = declare<ContractRow>()({
  noun: 'contract',
  isCounted: true,
  lead: 'id',
  spare: ['createdAt', 'signId', 'amount'],
  fields: {
    id: { kind: 'id', label: 'list.id', of: ({ id }) => id },
    requestId: {
      kind: 'ref',
      label: 'list.request',
      of: ({ requestId }) => requestId,
      to: ({ requestId }) => `/admin/requests/${requestId}`,
      isNumber: true,
    },
    status: { kind: 'state', label: 'list.status', of: ({ status }) => status },
    signId: { kind: 'text', label: 'list.signId', of: ({ signId }) => signId, isLong: true, fold: 'lg' },
    signUrl: { kind: 'address', label: 'list.signUrl', of: ({ signUrl }) => signUrl, forPrograms: true },
    amount: {
      kind: 'money',
      label: 'list.amount',
      of: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      isNumber: true,
      fold: 'lg',
    },
    currency: { kind: 'text', label: 'list.currency', of: ({ currency }) => currency, forPrograms: true },
    createdAt: { kind: 'time', label: 'list.createdAt', of: ({ createdAt }) => createdAt, fold: 'lg' },
    expiredAt: { kind: 'time', label: 'list.expiredAt', of: ({ expiredAt }) => expiredAt, fold: 'md' },
    signedAt: { kind: 'time', label: 'list.signedAt', of: ({ signedAt }) => signedAt, fold: 'md' },
  },
  filters,
  orders,
  readers: 'owner',
  load: () => import('../contracts/list-contracts.js'),
});
