/** Payments, as their lists and the pages and documents of their request show them (rules 5). */
import type { PaymentView } from '../payment/list-payments.js';
import { STATES } from '../payment/decide.js';
import { AMOUNT, CONTRACT_ID, CREATED_AT, CURRENCY, CUSTOMER, ID, REQUEST_ID } from './fields.js';
import { choice, declare, ref, span } from './resource.js';

export const PAYMENTS = declare<PaymentView>()({
  noun: 'payment',
  isCounted: true,
  lead: 'customer',
  spare: ['pendingSince', 'expiresAt', 'contractId', 'createdAt', 'paymentId', 'amount'],
  fields: {
    id: ID,
    paymentId: { kind: 'address', under: 'customer', isLong: true },
    customer: CUSTOMER,
    requestId: { ...REQUEST_ID, fold: 'md' },
    contractId: CONTRACT_ID,
    state: {
      kind: 'state',
      label: 'list.status',
      state: ({ state }) => (state === 'pending' ? 'on_its_way' : state),
    },
    amount: AMOUNT,
    currency: CURRENCY,
    createdAt: CREATED_AT,
    expiresAt: { kind: 'time', under: 'createdAt', fold: 'lg' },
    pendingSince: { kind: 'time', under: 'paidAt', fold: 'lg' },
    paidAt: { kind: 'time', label: 'evidence.paid', time: 'day', fold: 'md' },
  },
  filters: {
    state: choice(STATES, { label: 'list.status', about: 'with this status', said: 'payment.state' }),
    request: ref('requests', { label: 'list.request', about: 'of this request' }),
    createdAt: span({ label: 'list.createdAt', about: 'created' }),
  },
  orders: { createdAt: 'desc' },
  readers: 'administrator',
  load: () => import('../payment/list-payments.js'),
});
