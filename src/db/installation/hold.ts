/** The hold of a restored installation: at most one row. */
import { sql } from 'kysely';
import { exists, first, run, sqlite } from '../db.js';
import { newRow } from '../table.js';

export const isHoldThere = exists(() => sqlite.selectFrom('hold').select('one').where('one', '=', 1));

export const findHold = first(() => sqlite.selectFrom('hold').selectAll().where('one', '=', 1));

/** The first one stays: what may have happened elsewhere is counted from the oldest copy. */
export const putHold = run(
  newRow('hold', ['since', 'madeAt', 'lastJobId'], { fixed: { one: 1 }, end: sql`on conflict do nothing` }),
);

export const deleteHold = run(() => sqlite.deleteFrom('hold').where('one', '=', 1));
