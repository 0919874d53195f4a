/** Mails whose recipient the mail server refuses, though they wait for another attempt. */
import { sql } from 'kysely';
import { all } from '../db.js';
import { firstBy } from '../table.js';

/** In the words of the partial index. */
export const listRefusedMails = all(
  firstBy('jobs', [], {
    only: sql`"state" = 'available' and "attempt" > 0 and errors ->> '$[#-1].reason' = 'recipient_refused'`,
    order: sql`"id"`,
  }),
);
