/** The price list, as it is shown (rules 1, "Price"). */
import type { PriceRow } from '../rows.js';
import { AMOUNT, CURRENCY, ID } from './fields.js';
import { declare, type PagedReads } from './resource.js';

const filters = {};
const orders = { words: 'asc' } as const;

export type PriceReads = PagedReads<PriceRow, typeof filters, keyof typeof orders>;

export const PRICES = declare<PriceRow>()({
  noun: 'price',
  isCounted: true,
  isTariff: true,
  lead: 'words',
  spare: ['updatedAt'],
  fields: {
    id: ID,
    words: {
      kind: 'text',
      label: 'list.priceWords',
      to: ({ words }) => `/admin/prices/edit?${new URLSearchParams({ words }).toString()}`,
      isLong: true,
    },
    amount: AMOUNT,
    currency: CURRENCY,
    updatedAt: { kind: 'time', time: 'day', fold: 'lg' },
  },
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../prices/price-list.js'),
});
