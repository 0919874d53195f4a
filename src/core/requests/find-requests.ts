/**
 * The list of requests, by filter or search. A key names one request or a customer (find-by-key.ts); anything else is searched for by
 * its words, as is everything by a customer: a key must not tell whether somebody else has it.
 */
import type { Db } from '../../db/db.js';
import { listRequests, sumRequests, walkRequests, type RequestFilter } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { behind, inOrder, type FoundOrder, ANY_TIME } from '../calls/listing.js';
import type { Context } from '../context.js';
import { sumsOf } from '../payment/price.js';
import type { RequestReads } from '../resources/requests.js';
import type { Counted } from '../resources/resource.js';
import { FOUND_MAX, searchCustomers, searchRequests } from '../search/search.js';
import { findByKey } from './find-by-key.js';
import { requestViews, type RequestView } from './requests.js';

type Wanted = Omit<Parameters<RequestReads['page']>[1], 'limit' | 'offset'>;

export const page: RequestReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const asked = meaningOf(db, wanted);
  if ('filter' in asked) {
    const { by, direction } = wanted.order;
    const { total, rows } = listRequests(db, { ...asked, by, direction, limit, offset });
    return { total, rows: requestViews(db, rows) };
  }
  return { ...asked, rows: requestViews(db, asked.rows.slice(offset, offset + limit)) };
};

export const walk: RequestReads['walk'] = ({ db }, { past, limit, ...wanted }) => {
  const asked = meaningOf(db, wanted);
  if (!('filter' in asked))
    return requestViews(db, behind(asked.rows, { past, limit, order: orderOf(wanted) }));
  return requestViews(db, walkRequests(db, { ...asked, ...wanted.order, past, limit }));
};

export const sums: RequestReads['sums'] = ({ db }, wanted) => {
  const asked = meaningOf(db, wanted);
  if ('filter' in asked) return sumRequests(db, asked.filter);
  return sumsOf(requestViews(db, asked.rows).flatMap(({ contract }) => contract ?? []));
};

/** The requests that this names, the newest first. */
export function findRequests(ctx: Pick<Context, 'db'>, search: string, limit: number): Counted<RequestView> {
  const filter = { search, owner: null, status: null, equipment: null, createdAt: ANY_TIME };
  return page(ctx, {
    filter,
    order: { by: 'createdAt', direction: 'desc' },
    ownerId: null,
    limit,
    offset: 0,
  });
}

/** The customers whom the same words name. */
export function findCustomers({ db }: Pick<Context, 'db'>, search: string, limit: number): UserRow[] {
  const { request, customer } = findByKey(db, search);
  if (request) return [];
  return customer ? [customer] : searchCustomers(db, search, limit);
}

/** A filter, or all that a search finds, in the order asked for. */
function meaningOf(
  db: Db,
  { filter: asked, order, ownerId }: Wanted,
): { filter: RequestFilter } | Counted<RequestRow> {
  const { search, ...rest } = asked;
  const filter = { ...rest, owner: ownerId === null ? rest.owner : [ownerId] };
  if (search === null || search.trim() === '') return { filter };
  const { request, customer } = ownerId === null ? findByKey(db, search) : {};
  if (customer) return { filter: { ...filter, owner: onlyOf(customer, filter) } };
  if (request) return { total: 1, rows: [request] };
  const found = searchRequests(db, search, { filter, limit: FOUND_MAX });
  return { ...found, rows: inOrder(found.rows, orderOf({ order })) };
}

/** The later it was entered, the higher its id. */
function orderOf({ order: { by, direction } }: Pick<Wanted, 'order'>): FoundOrder<RequestRow> {
  return { direction, keyOf: by === 'statusSince' ? ({ statusSince }) => statusSince : undefined };
}

function onlyOf({ id }: UserRow, { owner }: RequestFilter): number[] {
  return owner?.includes(id) === false ? [] : [id];
}
