/**
 * The staff's list of requests, by filter or search. A key names one request or a customer (find-by-key.ts); anything
 * else is searched for in titles.
 */
import type { Db } from '../../db/db.js';
import { listRequests } from '../../db/requests/lists.js';
import {
  countFoundRequests,
  searchRequests,
  TITLE_HITS_MAX,
  type StaffFilter,
} from '../../db/requests/search.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { ANY_TIME, type Listing, type PageOf } from '../calls/listing.js';
import { findByKey, isAddress } from './find-by-key.js';
import { viewsOf, type RequestView } from './requests.js';

export interface Wanted extends PageOf {
  /** As typed; empty for everything. */
  search: string;
  filter: StaffFilter;
}

export interface FoundRequests extends Listing<RequestView> {
  /** Too many titles match; `total` counts only the newest. */
  isCapped: boolean;
}

export function findRequests({ db }: Context, wanted: Wanted): FoundRequests {
  const { total, rows, isCapped = false } = find(db, wanted);
  return { total, isCapped, rows: viewsOf(db, rows) };
}

type Found = Listing<RequestRow> & { isCapped?: boolean };

const ALL = { status: null, createdAt: ANY_TIME };
const NOTHING: Found = { total: 0, rows: [] };

function find(db: Db, wanted: Wanted): Found {
  const search = wanted.search.trim();
  if (search === '') return filtered(db, wanted, null);
  const { request, customer } = findByKey(db, search);
  if (customer) return filtered(db, wanted, customer.id);
  if (request) return { total: 1, rows: [request] };
  return isAddress(search) ? NOTHING : byTitle(db, wanted, search);
}

function filtered(db: Db, { filter, limit, offset }: Wanted, ownerId: number | null): Found {
  const all = { ...filter, ownerId, equipment: null };
  return listRequests(db, { filter: all, direction: 'desc', limit, offset });
}

function byTitle(db: Db, { filter, limit, offset }: Wanted, search: string): Found {
  const words = wordsOf(search);
  if (words.length === 0) return NOTHING;
  const whole = words.join(' ');
  // A whole word is one list of the index; a prefix merges many of them before the newest are known.
  const isCommon = countFoundRequests(db, { match: whole, filter: ALL }) >= TITLE_HITS_MAX;
  const match = isCommon ? whole : words.map((word) => `${word}*`).join(' ');
  const total = countFoundRequests(db, { match, filter });
  const rows = searchRequests(db, { match, filter, limit, offset });
  return { total, rows, isCapped: isCommon || total >= TITLE_HITS_MAX };
}

/** Each must be, or begin, a word of the title. Quoted, so that the query language's operators have no effect. */
function wordsOf(search: string): string[] {
  const words = search.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, 10).map((word) => `"${word}"`);
}
