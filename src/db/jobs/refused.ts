/** Mails whose recipient the mail server refuses, though they wait for another attempt. */
import { sql } from 'kysely';
import { all, sqlite } from '../db.js';

/** In the words of the partial index. */
export const listRefusedMails = all((p: { limit: number }) =>
  sqlite
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', sql.lit('available'))
    .where('attempt', '>', sql.lit(0))
    .where(sql<boolean>`errors ->> '$[#-1].reason' = 'recipient_refused'`)
    .orderBy('id')
    .limit(p.limit),
);
