/** The price list, as it is shown (rules 1, "Price"). */
import type { PriceRow } from '../rows.js';
import { declare, type PagedReads } from './resource.js';

const filters = {};
const orders = { words: 'asc' } as const;

export type PriceReads = PagedReads<PriceRow, typeof filters, keyof typeof orders>;

export const PRICES = declare<PriceRow>()({
  noun: 'price',
  isCounted: true,
  lead: 'words',
  spare: ['updatedAt'],
  fields: {
    id: { kind: 'id', label: 'list.id', of: ({ id }) => id },
    words: {
      kind: 'text',
      label: 'list.priceWords',
      of: ({ words }) => words,
      to: ({ words }) => `/admin/prices/edit?${new URLSearchParams({ words }).toString()}`,
      isLong: true,
    },
    amount: {
      kind: 'money',
      label: 'list.amount',
      of: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      isNumber: true,
    },
    currency: { kind: 'text', label: 'list.currency', of: ({ currency }) => currency, forPrograms: true },
    updatedAt: {
      kind: 'time',
      label: 'list.updatedAt',
      of: ({ updatedAt }) => updatedAt,
      time: 'day',
      fold: 'lg',
    },
  },
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../prices/price-list.js'),
});
