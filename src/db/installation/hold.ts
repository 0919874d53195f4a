/** The hold of a restored installation: at most one row. */
import { exists, first, run, sqlite } from '../db.js';
import type { HoldRow } from '../schema.js';

export const isHoldThere = exists(() => sqlite.selectFrom('hold').select('one').where('one', '=', 1));

export const findHold = first(() => sqlite.selectFrom('hold').selectAll().where('one', '=', 1));

/** The first one stays: what may have happened elsewhere is counted from the oldest copy. */
export const putHold = run(({ since, madeAt, lastJobId }: Omit<HoldRow, 'one'>) =>
  sqlite
    .insertInto('hold')
    .values({ one: 1, since, madeAt, lastJobId })
    .onConflict((conflict) => conflict.doNothing()),
);

export const deleteHold = run(() => sqlite.deleteFrom('hold').where('one', '=', 1));
