/** What stands behind the figures of a report. */
import type { ReportRow } from '../report/report.js';
import { describe } from './resource.js';

export const REPORTED = describe<ReportRow>()({
  lead: 'customer',
  fields: {
    figure: {
      kind: 'text',
      label: 'list.figure',
      of: ({ figure }) => figure,
      words: ({ figure }, say) => say(`report.${figure}`),
    },
    at: { kind: 'time', label: 'list.at', of: ({ at }) => at, time: 'day', fold: 'md' },
    customer: {
      kind: 'text',
      label: 'list.customer',
      of: ({ customer }) => customer,
      to: ({ requestId }) => `/admin/requests/${requestId}`,
      isLong: true,
      isName: true,
    },
    requestId: {
      kind: 'ref',
      label: 'list.request',
      of: ({ requestId }) => requestId,
      to: ({ requestId }) => `/admin/requests/${requestId}`,
      isNumber: true,
      fold: 'md',
    },
    contractId: {
      kind: 'ref',
      label: 'list.contract',
      of: ({ contractId }) => contractId,
      isNumber: true,
      fold: 'lg',
    },
    amount: {
      kind: 'money',
      label: 'list.amount',
      of: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      isNumber: true,
    },
    currency: { kind: 'text', label: 'list.currency', of: ({ currency }) => currency, forPrograms: true },
  },
});
