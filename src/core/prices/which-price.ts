/** Which price a contract has that is made now (rules 1, "Price"): decided here alone, from what was read before. */
import type { OfferRow, PriceRow, RequestRow } from '../rows.js';
import { folded } from '../search/search.js';
import type { Price } from '../settings/currencies.js';

export interface PriceFacts {
  request: Pick<RequestRow, 'amount' | 'currency'>;
  /** Of the request, the newest first. */
  offers: readonly Pick<OfferRow, 'status' | 'amount' | 'currency'>[];
  list: PriceList;
  equipment: { name: string; model: string };
  general: Price;
}

/** As it is looked through: the entry with the most words first, then the one with the longest. */
export type PriceList = readonly (Price & { words: readonly string[] })[];

/** Made once for all requests that are looked at. */
export function priceListOf(rows: readonly Pick<PriceRow, 'words' | 'amount' | 'currency'>[]): PriceList {
  return rows
    .map((row) => ({ ...moneyIn(row), words: wordsIn(row.words) }))
    .filter(({ words }) => words.length > 0)
    .toSorted(({ words: a }, { words: b }) => b.length - a.length || b.join('').length - a.join('').length);
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

/** The first entry whose words all stand in name and model. */
function listedPrice(list: PriceList, { name, model }: PriceFacts['equipment']) {
  const present = new Set(wordsIn(`${name} ${model}`));
  return list.find(({ words }) => words.every((word) => present.has(word)));
}

/** Case, accents, order and what stands between them do not count: `B-200` is `b` and `200`. */
export function wordsIn(text: string): string[] {
  return [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) ?? [])].toSorted();
}

function moneyIn({ amount, currency }: Price): Price {
  return { amount, currency };
}
