/** Documents at the signature provider that are unknown here, as they were found. */
import { sql } from 'kysely';
import { all, changed, run, sqlite } from '../db.js';
import { deleteBy } from '../table.js';

/** A known one keeps since when it is known; one that was settled needs somebody again when its status is another. */
export const putUnknownSignature = run(
  (p: { signId: string; externalId: string; status: string; name: string | null; seenAt: string }) =>
    sqlite
      .insertInto('unknownSignatures')
      .values({
        signId: p.signId,
        externalId: p.externalId,
        status: p.status,
        name: p.name,
        seenAt: p.seenAt,
        settledAt: null,
      })
      .onConflict((conflict) =>
        conflict.column('signId').doUpdateSet({
          status: p.status,
          name: p.name,
          settledAt: sql<string | null>`CASE WHEN unknownSignatures.status = ${p.status} THEN settledAt END`,
        }),
      ),
);

export const deleteUnknownSignature = run(deleteBy('unknownSignatures', 'signId'));

/** Those that nobody has dealt with, the oldest first. */
export const listOpenUnknownSignatures = all((p: { limit: number }) =>
  sqlite
    .selectFrom('unknownSignatures')
    .selectAll()
    .where('settledAt', 'is', sql.lit(null))
    .orderBy('seenAt')
    .limit(p.limit),
);

/** Those under one name. */
export const listOpenUnknownOf = all((p: { externalId: string }) =>
  sqlite
    .selectFrom('unknownSignatures')
    .selectAll()
    .where('settledAt', 'is', sql.lit(null))
    .where('externalId', '=', p.externalId)
    .orderBy('seenAt'),
);

/** False: it is not open. */
export const settleUnknownSignature = changed((p: { signId: string; now: string }) =>
  sqlite
    .updateTable('unknownSignatures')
    .set({ settledAt: p.now })
    .where('signId', '=', p.signId)
    .where('settledAt', 'is', sql.lit(null)),
);
