/** The price list. It is short: it is read whole. */
import { sql } from 'kysely';
import { all, required, run, sqlite } from '../db.js';
import { deleteBy, newRow, setById } from '../table.js';

export const listPrices = all(() => sqlite.selectFrom('prices').selectAll().orderBy('words'));

export const insertPrice = required(
  newRow('prices', ['words', 'amount', 'currency'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

export const updatePrice = required(
  setById('prices', ['words', 'amount', 'currency'], { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deletePriceRow = run(deleteBy('prices', 'id'));
