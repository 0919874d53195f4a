/** Payments, as the pages and documents of their request show them (rules 5). */
import type { PaymentRow } from '../rows.js';
import { describe } from './resource.js';

export const PAYMENTS = describe<PaymentRow>()({
  lead: 'paymentId',
  fields: {
    paymentId: { kind: 'text', label: 'list.paymentId', of: ({ paymentId }) => paymentId },
    contractId: { kind: 'ref', label: 'list.contract', of: ({ contractId }) => contractId, isNumber: true },
    state: {
      kind: 'state',
      label: 'list.status',
      of: ({ state }) => state,
      state: ({ state }) => (state === 'pending' ? 'on_its_way' : state),
    },
    amount: {
      kind: 'money',
      label: 'list.amount',
      of: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      isNumber: true,
    },
    currency: { kind: 'text', label: 'list.currency', of: ({ currency }) => currency, forPrograms: true },
    createdAt: { kind: 'time', label: 'list.createdAt', of: ({ createdAt }) => createdAt },
    expiresAt: { kind: 'time', label: 'list.expiresAt', of: ({ expiresAt }) => expiresAt },
    pendingSince: { kind: 'time', label: 'list.pendingSince', of: ({ pendingSince }) => pendingSince },
    paidAt: { kind: 'time', label: 'evidence.paid', of: ({ paidAt }) => paidAt },
  },
});
