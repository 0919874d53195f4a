/**
 * The staff's list of requests, by filter or search. A key names one request or a customer (find-by-key.ts); anything
 * else is searched for by its words.
 */
import type { Db } from '../../db/db.js';
import {
  listRequests,
  listRequestsBefore,
  type RequestFilter,
  type RequestPage,
} from '../../db/requests/lists.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { everyRow } from '../calls/every-row.js';
import type { Direction, Listing, PageOf } from '../calls/listing.js';
import type { Context } from '../context.js';
import { searchCustomers, searchRequests } from '../search/search.js';
import { findByKey } from './find-by-key.js';
import { viewsOf, type RequestView } from './requests.js';

export interface Wanted extends PageOf {
  /** As typed; empty for everything. */
  search: string;
  filter: Pick<RequestFilter, 'owner' | 'status' | 'createdAt'>;
  /** By creation by default, and always for what words find. */
  by?: RequestPage['by'];
  /** The newest first by default. */
  direction?: Direction | undefined;
}

export interface FoundRequests extends Listing<RequestView> {
  /** Too many match; `total` counts only the newest. */
  isCapped: boolean;
}

export function findRequests({ db }: Pick<Context, 'db'>, wanted: Wanted): FoundRequests {
  const { total, rows, isCapped = false } = find(db, wanted);
  return { total, isCapped, rows: viewsOf(db, rows) };
}

/** Everything that a search or filter finds, the newest first, read a part at a time; a search finds at most `SEARCHED_MAX`. */
export function* everyRequest(
  { db }: Pick<Context, 'db'>,
  { search, filter }: Pick<Wanted, 'search' | 'filter'>,
): Generator<RequestView> {
  const isSearch = search.trim() !== '';
  const { customer } = isSearch ? findByKey(db, search) : {};
  if (isSearch && !customer) {
    yield* viewsOf(db, find(db, { search, filter, limit: SEARCHED_MAX, offset: 0 }).rows);
    return;
  }
  const wanted = { ...filter, equipment: null, owner: customer ? onlyOf(customer, filter) : filter.owner };
  yield* everyRow<RequestView>((last, limit) =>
    viewsOf(db, listRequestsBefore(db, wanted, { before: last?.request, limit })),
  );
}

const SEARCHED_MAX = 1_000;

/** The customers whom the same words name. */
export function findCustomers({ db }: Pick<Context, 'db'>, search: string, limit: number): UserRow[] {
  const { request, customer } = findByKey(db, search);
  if (request) return [];
  return customer ? [customer] : searchCustomers(db, search, limit);
}

type Found = Listing<RequestRow> & { isCapped?: boolean };

function find(
  db: Db,
  { search, by = 'createdAt', direction = 'desc', limit, offset, ...wanted }: Wanted,
): Found {
  const filter = { ...wanted.filter, equipment: null };
  const page = { direction, limit, offset };
  if (search.trim() === '') return listRequests(db, { filter, by, ...page });
  const { request, customer } = findByKey(db, search);
  if (customer) {
    return listRequests(db, { filter: { ...filter, owner: onlyOf(customer, filter) }, by, ...page });
  }
  return request ? { total: 1, rows: [request] } : searchRequests(db, search, { filter, ...page });
}

function onlyOf({ id }: UserRow, { owner }: Wanted['filter']): number[] {
  return owner?.includes(id) === false ? [] : [id];
}
