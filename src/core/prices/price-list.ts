/** The price list: what a contract costs by the words of its equipment (rules 1, "Price"). */
import { command } from '../commands.js';
import { z } from 'zod';
import { deletePriceRow, insertPrice, listPrices, updatePrice } from '../../db/prices/prices.js';
import type { Db } from '../../db/db.js';
import type { PriceRow } from '../../db/schema.js';
import { parseInput, words } from '../calls/input.js';
import { behind, inOrder } from '../calls/listing.js';
import { attempt, type Try } from '../change.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { payable } from '../payment/price.js';
import type { PriceReads } from '../resources/prices.js';
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

const WORDS = z.object({ words: words({ lengthMax: 255 }) });

/** The price of equipments in whose name and model all the words stand; the same words in any order and case have one price. */
export function setPrice(
  ctx: Context,
  { words: typed, amount }: { words: string; amount: number },
  by: Try,
): Promise<PriceRow> {
  const row = {
    ...parseInput(WORDS, { words: typed.trim() }),
    ...payable({ amount, currency: ctx.config.currency }, ctx.config.locale),
  };
  if (wordsIn(row.words).length === 0)
    throw invalid({ words: 'Give a word of the equipment’s name or model.' });
  return attempt(ctx, by, (tx) => {
    const { db, now, reason } = tx;
    const there = entryFor(db, row.words);
    const stored = there ? updatePrice(db, { ...row, id: there.id, now }) : insertPrice(db, { ...row, now });
    tx.record('price.set', null, { ...row, reason });
    return stored;
  });
}

/** Throws `not_found`. */
export function removePrice(ctx: Context, typed: string, by: Try): Promise<PriceRow> {
  return attempt(ctx, by, (tx) => {
    const row = entryFor(tx.db, typed);
    if (!row)
      throw notFound('not_found', `There is no price for “${typed}”.`, [
        'See `',
        command('prices list'),
        '`.',
      ]);
    deletePriceRow(tx.db, row);
    const { words, amount, currency } = row;
    tx.record('price.removed', null, { words, amount, currency, reason: tx.reason });
    return row;
  });
}

/** The one with these words, in any order and case. */
export function priceFor({ db }: Pick<Context, 'db'>, typed: string): PriceRow | undefined {
  return entryFor(db, typed);
}

function entryFor(db: Db, typed: string): PriceRow | undefined {
  const key = wordsIn(typed).join(' ');
  return listPrices(db).find(({ words }) => wordsIn(words).join(' ') === key);
}
