/** Fields that several nouns have, under the same name. */
import type { Field } from './resource.js';

/** Of whatever row has them; none names another field. */
type Shared<Row> = Field<Row, never>;

export const ID: Shared<{ id: number }> = { kind: 'id', label: 'list.id', of: ({ id }) => id };

export const REFERENCE: Shared<{ reference: string | null }> = {
  kind: 'text',
  label: 'list.reference',
  of: ({ reference }) => reference,
};

export const REQUEST_ID: Shared<{ requestId: number | null }> = {
  kind: 'ref',
  label: 'list.request',
  of: ({ requestId }) => requestId,
  to: ({ requestId }) => `/admin/requests/${requestId}`,
  isNumber: true,
};

export const CONTRACT_ID: Shared<{ contractId: number | null }> = {
  kind: 'ref',
  label: 'list.contract',
  of: ({ contractId }) => contractId,
  isNumber: true,
  fold: 'lg',
};

/** Whose request it is: it leads there. */
export const CUSTOMER: Shared<{ customer: string; requestId: number }> = {
  kind: 'text',
  label: 'list.customer',
  of: ({ customer }) => customer,
  to: ({ requestId }) => `/admin/requests/${requestId}`,
  isLong: true,
  isName: true,
};

interface Priced {
  amount: number | null;
  currency: string | null;
}

export const AMOUNT: Shared<Priced> = {
  kind: 'money',
  label: 'list.amount',
  of: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  isNumber: true,
};

export const CURRENCY: Shared<Priced> = {
  kind: 'text',
  label: 'list.currency',
  of: ({ currency }) => currency,
  forPrograms: true,
};

export const STATUS: Shared<{ status: string }> = {
  kind: 'state',
  label: 'list.status',
  of: ({ status }) => status,
};

export const CREATED_AT: Shared<{ createdAt: string }> = {
  kind: 'time',
  label: 'list.createdAt',
  of: ({ createdAt }) => createdAt,
  time: 'day',
  fold: 'lg',
};
