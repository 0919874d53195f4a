/** What stands behind the figures of a report. */
import type { ReportRow } from '../report/report.js';
import { AMOUNT, CONTRACT_ID, CURRENCY, CUSTOMER, REQUEST_ID } from './fields.js';
import { describe } from './resource.js';

export const REPORTED = describe<ReportRow>()({
  lead: 'customer',
  fields: {
    figure: { kind: 'text', words: ({ figure }, say) => say(`report.${figure}`) },
    at: { kind: 'time', time: 'day', fold: 'md' },
    customer: CUSTOMER,
    requestId: { ...REQUEST_ID, fold: 'md' },
    contractId: CONTRACT_ID,
    amount: AMOUNT,
    currency: CURRENCY,
  },
});
