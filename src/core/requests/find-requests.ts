/**
 * The staff's list of requests, by filter or search. A key names one request or a customer (find-by-key.ts); anything
 * else is searched for by its words.
 */
import type { Db } from '../../db/db.js';
import { listRequests, type RequestFilter } from '../../db/requests/lists.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { type Listing, type PageOf } from '../calls/listing.js';
import type { Context } from '../context.js';
import { searchCustomers, searchRequests } from '../search/search.js';
import { findByKey } from './find-by-key.js';
import { viewsOf, type RequestView } from './requests.js';

export interface Wanted extends PageOf {
  /** As typed; empty for everything. */
  search: string;
  filter: Pick<RequestFilter, 'owner' | 'status' | 'createdAt'>;
}

export interface FoundRequests extends Listing<RequestView> {
  /** Too many match; `total` counts only the newest. */
  isCapped: boolean;
}

export function findRequests({ db }: Pick<Context, 'db'>, wanted: Wanted): FoundRequests {
  const { total, rows, isCapped = false } = find(db, wanted);
  return { total, isCapped, rows: viewsOf(db, rows) };
}

/** The customers whom the same words name. */
export function findCustomers({ db }: Pick<Context, 'db'>, search: string, limit: number): UserRow[] {
  const { request, customer } = findByKey(db, search);
  if (request) return [];
  return customer ? [customer] : searchCustomers(db, search, limit);
}

type Found = Listing<RequestRow> & { isCapped?: boolean };

function find(db: Db, { search, limit, offset, ...wanted }: Wanted): Found {
  const filter = { ...wanted.filter, equipment: null };
  const page = { direction: 'desc', limit, offset } as const;
  if (search.trim() === '') return listRequests(db, { filter, ...page });
  const { request, customer } = findByKey(db, search);
  if (customer) {
    const owner = filter.owner?.includes(customer.id) === false ? [] : [customer.id];
    return listRequests(db, { filter: { ...filter, owner }, ...page });
  }
  return request ? { total: 1, rows: [request] } : searchRequests(db, search, { filter, ...page });
}
