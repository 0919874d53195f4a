/** Contracts, as their lists show them (rules 6). */
import { CONTRACT_STATUSES } from '../lifecycle.js';
import type { ContractView } from '../contracts/list-contracts.js';
import { AMOUNT, CREATED_AT, CURRENCY, ID, REQUEST_ID, STATUS } from './fields.js';
import { choice, declare, ref, span } from './resource.js';

export const CONTRACTS = declare<ContractView>()({
  noun: 'contract',
  isCounted: true,
  lead: 'id',
  spare: ['createdAt', 'signId', 'customer', 'amount'],
  fields: {
    id: ID,
    requestId: { ...REQUEST_ID, fold: 'md' },
    customer: { kind: 'text', isLong: true, isName: true },
    status: STATUS,
    signId: { kind: 'address', under: 'customer', isLong: true, fold: 'lg' },
    signUrl: { kind: 'address', forPrograms: true },
    amount: { ...AMOUNT, fold: 'lg' },
    currency: CURRENCY,
    createdAt: CREATED_AT,
    expiredAt: { kind: 'time', head: 'ENDS', time: 'day', fold: 'md' },
    signedAt: { kind: 'time', time: 'day', fold: 'md' },
  },
  filters: {
    status: choice(CONTRACT_STATUSES, { label: 'list.status', about: 'with this status', said: 'state' }),
    request: ref('requests', { label: 'list.request', about: 'of this request' }),
    term: choice(['ends'], {
      label: 'list.term',
      about: 'whose term ends or has ended, while nobody has decided about a renewal',
      said: 'term',
    }),
    createdAt: span({ label: 'list.createdAt', about: 'created' }),
  },
  orders: { createdAt: 'desc' },
  readers: 'owner',
  load: () => import('../contracts/list-contracts.js'),
});
