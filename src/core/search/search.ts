/** The one search for requests and customers by words (rules 10): for every command, page and list. */
import type { Db } from '../../db/db.js';
import type { RequestFilter } from '../../db/requests/lists.js';
import { listRequestTexts, listCustomerTexts } from '../../db/search.js';
import { listRequestsByIds } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { listUsersByIds } from '../../db/users/users.js';
import type { Listing } from '../calls/listing.js';
import { hasTerms, matchOf, termsOf } from './terms.js';

/** More than anybody reads. */
export const FOUND_MAX = 1_000;

export interface FoundRequests extends Listing<RequestRow> {
  /** Perhaps more match; `total` counts only the newest. */
  isCapped: boolean;
}

export function searchRequests(
  db: Db,
  typed: string,
  { filter, limit }: { filter: RequestFilter; limit: number },
): FoundRequests {
  const { ids, isCapped } = found(typed, (asked) => listRequestTexts(db, { ...asked, filter }));
  const rows = listRequestsByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
  return { rows, total: ids.length, isCapped };
}

/** Also those without a request. */
export function searchCustomers(db: Db, typed: string, limit: number): UserRow[] {
  const { ids } = found(typed, (asked) => listCustomerTexts(db, asked));
  return listUsersByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
}

type Texts = (asked: { match: string; limit: number }) => { id: number; text: string }[];

/** Those that have all of the words, the newest first. */
function found(typed: string, textsOf: Texts): { ids: number[]; isCapped: boolean } {
  const terms = termsOf(typed);
  if (terms.length === 0) return { ids: [], isCapped: false };
  const texts = textsOf({ match: matchOf(terms), limit: FOUND_MAX });
  const ids = texts.filter(({ text }) => hasTerms(text, terms)).map(({ id }) => id);
  return { ids, isCapped: texts.length === FOUND_MAX };
}
