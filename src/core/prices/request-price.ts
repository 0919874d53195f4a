/** The price that one request has of its own, whatever was offered. */
import { requireRequest, setRequestPrice } from '../../db/requests/requests.js';
import type { Change } from '../change.js';
import { ofRequest } from '../history/history.js';
import type { Price } from '../settings/currencies.js';

/** Null: from now on it has none. Said twice, it changes nothing. */
export function priceRequest(tx: Change, id: number, price: Price | null): void {
  const { db, now } = tx;
  const before = requireRequest(db, { id });
  const { amount, currency } = price ?? { amount: null, currency: null };
  if (before.amount === amount && before.currency === currency) return;
  setRequestPrice(db, { id, amount, currency, now });
  tx.record('request.priced', ofRequest(id), { amount, currency, reason: tx.reason });
}
