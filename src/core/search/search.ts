/** The one search for requests and customers by words (rules 10): for every command, page and list. */
import type { Db } from '../../db/db.js';
import type { RequestFilter } from '../../db/requests/lists.js';
import { listRequestTexts } from '../../db/requests/search.js';
import { listRequestsByIds } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { listCustomerTexts } from '../../db/users/search.js';
import { listUsersByIds } from '../../db/users/users.js';
import type { Listing } from '../calls/listing.js';
import { hasTerms, matchOf, termsOf } from './terms.js';

/** More than anybody reads. */
export const FOUND_MAX = 1_000;

export interface FoundRequests extends Listing<RequestRow> {
  /** Perhaps more match; `total` counts only the newest. */
  isCapped: boolean;
}

/** Requests that have all of the words, the newest first. */
export function searchRequests(
  db: Db,
  typed: string,
  { filter, limit }: { filter: RequestFilter; limit: number },
): FoundRequests {
  const terms = termsOf(typed);
  if (terms.length === 0) return { rows: [], total: 0, isCapped: false };
  const texts = listRequestTexts(db, { match: matchOf(terms), filter, limit: FOUND_MAX });
  const ids = texts.filter(({ text }) => hasTerms(text, terms)).map(({ id }) => id);
  const rows = listRequestsByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
  return { rows, total: ids.length, isCapped: texts.length === FOUND_MAX };
}

/** Customers by words, also those without a request. */
export function searchCustomers(db: Db, typed: string, limit: number): UserRow[] {
  const terms = termsOf(typed);
  if (terms.length === 0) return [];
  const texts = listCustomerTexts(db, { match: matchOf(terms), limit: FOUND_MAX });
  const ids = texts.filter(({ text }) => hasTerms(text, terms)).map(({ id }) => id);
  return listUsersByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
}
