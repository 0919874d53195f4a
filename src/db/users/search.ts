/** What the search index holds of a customer: names, e-mail address and phone number, kept by triggers. */
import { sql } from 'kysely';
import { sqlite, type Db } from '../db.js';
import type { SearchedText } from '../requests/search.js';

/** The newest first. */
export function listCustomerTexts(
  db: Db,
  { match, limit }: { match: string; limit: number },
): SearchedText[] {
  const hits = sqlite
    .selectFrom('customerWords')
    .select('rowid')
    .where(sql<boolean>`"customerWords" match ${match}`)
    .orderBy('rowid', 'desc')
    .limit(limit);
  return db.list(
    sqlite.selectFrom('customerTexts').select(['id', 'text']).where('id', 'in', hits).orderBy('id', 'desc'),
  );
}
