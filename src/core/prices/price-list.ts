/** The price list: what a contract costs by the words of its equipment (rules 1, "Price"). */
import { see } from '../commands.js';
import { z } from 'zod';
import { deletePriceRow, insertPrice, listPrices, updatePrice } from '../../db/prices/prices.js';
import type { PriceRow } from '../../db/schema.js';
import { parseInput, words } from '../calls/input.js';
import { behind, inOrder } from '../calls/listing.js';
import { createOne, deleteOne, type GetOne } from '../calls/owned.js';
import { attempt, type Change, type Try } from '../change.js';
import { mustBeAdmin } from '../users/rights.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { payable } from '../payment/price.js';
import type { PriceReads } from '../resources/prices.js';
import { typedMoney } from './typed-money.js';
import { wordsIn } from './which-price.js';

const keyOf = (row: Pick<PriceRow, 'words'>) => row.words;

export const walk: PriceReads['walk'] = ({ db }, { order: { direction }, past, limit }) => {
  const order = { direction, keyOf };
  return behind(inOrder(listPrices(db), order), { past, limit, order });
};

export const page: PriceReads['page'] = ({ db }, { order: { direction }, limit, offset }) => {
  const all = inOrder(listPrices(db), { direction, keyOf });
  return { total: all.length, rows: all.slice(offset, offset + limit) };
};

export const PRICE_WORDS = words({ lengthMax: 255 }).meta({
  description: 'Words that the name and model of the equipment contain, in any order',
  examples: ['gas boiler'],
});

interface NewPrice {
  words: string;
  amount: number;
  /** Nothing but that of the settings. */
  currency?: string | undefined;
}

/** The price of equipments in whose name and model all the words stand; the same words in any order and case have one price. */
export function setPrice(
  ctx: Context,
  { words: typed, amount }: { words: string; amount: string | undefined },
  by: Try,
): Promise<PriceRow> {
  const fields = { words: PRICE_WORDS, amount: typedMoney(ctx.config) };
  const input = parseInput(z.object(fields), { words: typed.trim(), amount });
  return attempt(ctx, by, (tx) => putPrice(ctx, tx, input));
}

/** Through the API. */
export const createPrice = createOne<PriceRow, NewPrice>((tx, _, input, ctx) => putPrice(ctx, tx, input));

function putPrice({ config }: Context, tx: Change, { words: typed, amount, currency }: NewPrice): PriceRow {
  const { db, now, reason } = tx;
  mustBeOurCurrency(config, currency);
  const row = { words: typed.trim(), ...payable({ amount, currency: config.currency }, config.locale) };
  if (wordsIn(row.words).length === 0)
    throw invalid({ words: 'Give a word of the equipment’s name or model.' });
  const there = priceFor(tx, row.words);
  const stored = there ? updatePrice(db, { ...row, id: there.id, now }) : insertPrice(db, { ...row, now });
  tx.record('price.set', null, { ...row, reason });
  return stored;
}

/** A price in another currency is refused, not taken for one of ours. */
export function mustBeOurCurrency({ currency: ours }: { currency: string }, currency = ours): void {
  if (currency.toLowerCase() !== ours) throw invalid({ currency: `Prices are in “${ours}” here.` });
}

/** Throws `not_found`. */
export function removePrice(ctx: Context, typed: string, by: Try): Promise<PriceRow> {
  return attempt(ctx, by, (tx) => {
    const row = priceFor(tx, typed);
    if (!row) throw notFound('not_found', `There is no price for “${typed}”.`, see('prices list'));
    takeOff(tx, row);
    return row;
  });
}

/** For administrators, as the list is. */
export const getPrice: GetOne<PriceRow> = ({ db }, user, id) => {
  mustBeAdmin(user);
  const row = listPrices(db).find((each) => each.id === id);
  if (!row) throw notFound('not_found', `There is no price ${id}.`);
  return row;
};

/** Through the API. */
export const deletePrice = deleteOne(getPrice, takeOff);

function takeOff(tx: Change, { id, words, amount, currency }: PriceRow): void {
  deletePriceRow(tx.db, { id });
  tx.record('price.removed', null, { words, amount, currency, reason: tx.reason });
}

/** The one with these words, in any order and case. */
export function priceFor({ db }: Pick<Context, 'db'>, typed: string): PriceRow | undefined {
  const key = wordsIn(typed).join(' ');
  return listPrices(db).find(({ words }) => wordsIn(words).join(' ') === key);
}
