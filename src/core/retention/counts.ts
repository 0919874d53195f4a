/** The counts of lists (rules 5), compared with the rows themselves: month by month, the newest first. */
import { COUNTED, countsOf, type CountedTable, type Counts, type Stretch } from '../../db/counts.js';
import type { Db } from '../../db/db.js';

/** So many of the newest rows are enough for whoever waits. */
const ROWS_MIN = 50_000;

const TABLES = (Object.keys(COUNTED) as CountedTable[]).map((table) => ({ table, counts: countsOf(table) }));

export interface Compared extends Stretch {
  table: CountedTable;
  counts: Counts;
  isWrong: boolean;
}

/** Without `isFull` the newest months with `rowsMin` rows. The last stretch of a table begins at its beginning, `''`, when all of it was compared. */
export function* compareCounts(
  db: Db,
  { isFull, rowsMin = ROWS_MIN }: { isFull: boolean; rowsMin?: number },
): Generator<Compared> {
  for (const { table, counts } of TABLES) {
    let seen = 0;
    for (const stretch of counts.stretches(db)) {
      const { rows, isWrong } = counts.compare(db, stretch);
      yield { table, counts, isWrong, ...stretch };
      seen += rows;
      if (seen >= rowsMin && !isFull) break;
    }
  }
}
