/** /api/prices: the price list, for administrators (rules 1, "Price"). */
import { z } from 'zod';
import { AMOUNT, CURRENCY } from '../../core/calls/input.js';
import { createPrice, deletePrice, getPrice, PRICE_WORDS } from '../../core/prices/price-list.js';
import { PRICES } from '../../core/resources/prices.js';
import type { PriceRow } from '../../core/rows.js';
import type { Parts } from '../parts.js';
import { ID, TIME } from './docs/fields.js';
import { declareResource, resourceRoutes } from './resource.js';

const PRICE = declareResource({
  type: 'Price',
  name: 'prices',
  about:
    'What a contract costs for equipment whose name and model contain certain words. A price of the request or an offer comes before it, the general price after it.',
  fields: {
    id: ID,
    words: PRICE_WORDS,
    amount: AMOUNT.describe('In minor units'),
    currency: z.string().meta({ examples: ['eur'] }),
    updatedAt: TIME,
  },
  shows: (row: PriceRow) => row,
  noun: PRICES,
});

const New = z.object({
  words: PRICE_WORDS,
  amount: AMOUNT.describe('In minor units'),
  currency: CURRENCY.optional(),
});

export function priceRoutes(parts: Parts) {
  return resourceRoutes(parts, PRICE, {
    list: 'Lists prices',
    create: {
      title: 'Sets a price',
      about:
        'It replaces the price with the same words, if there is one. Its currency must be that of the settings.',
      isForAdministrators: true,
      takes: New,
      run: createPrice,
    },
    show: { title: 'Shows a price', isForAdministrators: true, run: getPrice },
    remove: { title: 'Takes a price off the list', isForAdministrators: true, run: deletePrice },
  });
}
