/**
 * What the search indexes hold, kept by triggers: of a customer names, e-mail address and phone number, of a request these, its title and
 * the serial number. They know trigrams only, so the caller looks whether a text really has the words.
 */
import { sql } from 'kysely';
import { sqlite, type Db } from './db.js';
import { anyOf } from './sql.js';
import { within } from './page.js';
import type { RequestFilter } from './requests/requests.js';

/** A filter is applied to the newest hits only, so that a common word costs no more than a rare one. */
const HITS_MAX = 5_000;

export interface SearchedText {
  id: number;
  text: string;
}

export interface TextSearch {
  /** An FTS5 query. */
  match: string;
  filter: RequestFilter;
  limit: number;
}

/** The newest first. One owner's requests are few, so all of them are read. */
export function listRequestTexts(db: Db, { match, filter, limit }: TextSearch): SearchedText[] {
  const { owner, status, equipment, createdAt } = filter;
  let ids = sqlite.selectFrom('requests').select('id');
  ids = owner
    ? ids.where('ownerId', 'in', anyOf(owner))
    : ids.where('id', 'in', hits('requestWords', match, HITS_MAX));
  if (equipment) ids = ids.where('equipmentId', 'in', anyOf(equipment));
  if (status) ids = ids.where('status', 'in', anyOf(status));
  const newest = within(ids, 'createdAt', createdAt).orderBy('id', 'desc').limit(limit);
  return db.list(
    sqlite.selectFrom('requestTexts').select(['id', 'text']).where('id', 'in', newest).orderBy('id', 'desc'),
  );
}

/** The newest first. */
export function listCustomerTexts(
  db: Db,
  { match, limit }: { match: string; limit: number },
): SearchedText[] {
  return db.list(
    sqlite
      .selectFrom('customerTexts')
      .select(['id', 'text'])
      .where('id', 'in', hits('customerWords', match, limit))
      .orderBy('id', 'desc'),
  );
}

function hits(index: 'requestWords' | 'customerWords', match: string, limit: number) {
  return sqlite
    .selectFrom(index)
    .select('rowid')
    .where(sql<boolean>`${sql.ref(index)} match ${match}`)
    .orderBy('rowid', 'desc')
    .limit(limit);
}
