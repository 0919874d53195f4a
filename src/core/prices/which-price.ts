/** Which price a contract has that is made now (rules 1, "Price"): decided here alone, from what was read before. */
import type { OfferRow, PriceRow, RequestRow } from '../rows.js';
import { folded } from '../search/search.js';
import type { Price } from '../settings/currencies.js';

export interface PriceFacts {
  request: Pick<RequestRow, 'amount' | 'currency'>;
  /** Of the request, the newest first. */
  offers: readonly Pick<OfferRow, 'status' | 'amount' | 'currency'>[];
  list: readonly Pick<PriceRow, 'words' | 'amount' | 'currency'>[];
  equipment: { name: string; model: string };
  general: Price;
}

/** Where it comes from. */
export type PriceSource = 'own' | 'offer' | 'list' | 'general';

/** The first that there is: the request's own, the newest accepted offer's, the newest sent one's, the list's, the general one. */
export function whichPrice({ request, offers, list, equipment, general }: PriceFacts): Price & {
  source: PriceSource;
} {
  const { amount, currency } = request;
  if (amount !== null && currency !== null) return { amount, currency, source: 'own' };
  const offer =
    offers.find(({ status }) => status === 'accepted') ?? offers.find(({ status }) => status === 'sent');
  if (offer) return { ...moneyIn(offer), source: 'offer' };
  const listed = listedPrice(list, equipment);
  return listed ? { ...moneyIn(listed), source: 'list' } : { ...general, source: 'general' };
}

/** The entry whose words all stand in name and model; of several the one with the most words, then with the longest. */
function listedPrice(list: PriceFacts['list'], { name, model }: PriceFacts['equipment']) {
  const words = new Set(wordsIn(`${name} ${model}`));
  return list
    .map((entry) => ({ entry, key: wordsIn(entry.words) }))
    .filter(({ key }) => key.length > 0 && key.every((word) => words.has(word)))
    .toSorted(({ key: a }, { key: b }) => b.length - a.length || b.join('').length - a.join('').length)[0]
    ?.entry;
}

/** Case, accents, order and what stands between them do not count: `B-200` is `b` and `200`. */
export function wordsIn(text: string): string[] {
  return [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) ?? [])].toSorted();
}

function moneyIn({ amount, currency }: Price): Price {
  return { amount, currency };
}
