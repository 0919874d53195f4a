/**
 * Requests are found by a key (rules 10): a request's number, its reference in any spelling, `contract:<id>`, a signId or a
 * paymentId; a customer's e-mail address; or else by words. The list of requests takes any of them.
 */
import { findContract, findContractBySignId } from '../../db/contracts/contracts.js';
import { listNewestContracts } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import { findPayment } from '../../db/payments/payments.js';
import {
  listRequests,
  type RequestFilter,
  findRequest,
  sumRequests,
  walkRequests,
} from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { findUserByUsername } from '../../db/users/users.js';
import { ANY_TIME, behind, inOrder, type FoundOrder } from '../calls/listing.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { searchRequests, FOUND_MAX, searchCustomers } from '../search/search.js';
import { normalUsername } from '../users/user-fields.js';
import { sumsOf } from '../payment/price.js';
import type { Price } from '../settings/currencies.js';
import type { RequestReads } from '../resources/requests.js';
import type { Counted } from '../resources/resource.js';
import { requestViews, type RequestView } from './requests.js';

const KEYS =
  'Give a number, a reference such as REQ-2026-000123, contract:<id>, a signId, a paymentId, or any part of the customer’s name, e-mail address or phone number, the serial number or the title.';

/** More are not chosen from. */
export const CHOICES_MAX = 50;

const EVERY: RequestFilter = { owner: null, status: null, equipment: null, createdAt: ANY_TIME };

/** The requests that a key or words name, newest first, at most `CHOICES_MAX`. Throws `request_not_found`. */
export function requestsByKey({ db }: Pick<Context, 'db'>, key: string): [RequestRow, ...RequestRow[]] {
  const { request, customer } = findByKey(db, key);
  const [newest = request, ...others] = customer
    ? newestOf(db, customer)
    : request
      ? []
      : requestsByWords(db, key);
  if (!newest) throw notFound('request_not_found', `No request matches “${key.trim()}”.`, KEYS);
  return [newest, ...others];
}

function newestOf(db: Db, { id }: UserRow): RequestRow[] {
  const filter = { ...EVERY, owner: [id] };
  return listRequests(db, { filter, direction: 'desc', limit: CHOICES_MAX, offset: 0 }).rows;
}

/** At most `CHOICES_MAX`, the newest first. A short number is one of a request and of nothing else, so that a slip of the finger finds nobody's phone number. */
export function requestsByWords(db: Db, key: string): RequestRow[] {
  if (/^#?\d{1,5}$/.test(key.trim())) return [];
  return searchRequests(db, key, { filter: EVERY, limit: CHOICES_MAX }).rows;
}

export interface Named {
  request?: RequestRow | undefined;
  /** When the key is an e-mail address. */
  customer?: UserRow | undefined;
}

/** At most one of the two. */
export function findByKey(db: Db, typed: string): Named {
  const key = typed.trim();
  if (isAddress(key)) return { customer: findUserByUsername(db, { username: normalUsername(key) }) };
  const [, number] = /^#?(\d{1,15})$/.exec(key) ?? [];
  if (number !== undefined) return { request: findRequest(db, { id: Number(number) }) };
  return { request: findByReference(db, key) ?? findByContract(db, key) };
}

export function isAddress(key: string): boolean {
  return key.includes('@');
}

/** `REQ-2026-000069`, also as `req 2026 69` or `2026/69`. The year must fit. */
function findByReference(db: Db, key: string): RequestRow | undefined {
  const [, year, number] = /^(?:REQ)?[\s/._-]*(\d{4})[\s/._-]+(\d{1,15})$/i.exec(key) ?? [];
  const request = number === undefined ? undefined : findRequest(db, { id: Number(number) });
  return request?.reference.startsWith(`REQ-${year}-`) ? request : undefined;
}

function findByContract(db: Db, key: string): RequestRow | undefined {
  const [, id] = /^contract:(\d{1,15})$/i.exec(key) ?? [];
  const contractId = id === undefined ? findPayment(db, { paymentId: key })?.contractId : Number(id);
  const contract =
    contractId === undefined
      ? findContractBySignId(db, { signId: key })
      : findContract(db, { id: contractId });
  return contract && findRequest(db, { id: contract.requestId });
}

// The list of requests, by filter or search. A key names one request or a customer; anything else is searched for by
// its words, as is everything by a customer: a key must not tell whether somebody else has it.

type Wanted = Omit<Parameters<RequestReads['page']>[1], 'limit' | 'offset'>;

export const page: RequestReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const asked = meaningOf(db, wanted);
  if ('filter' in asked) {
    const { by, direction } = wanted.order;
    const { total, rows } = listRequests(db, { ...asked, by, direction, limit, offset });
    return { total, rows: requestViews(db, rows), sums: () => sumRequests(db, asked.filter) };
  }
  const rows = requestViews(db, asked.rows.slice(offset, offset + limit));
  return { ...asked, rows, sums: () => sumsOfContracts(db, asked.rows) };
};

function sumsOfContracts(db: Db, requests: readonly RequestRow[]): Price[] {
  const ids = requests.map(({ id }) => id);
  const contracts = listNewestContracts(db, ids);
  return sumsOf(ids.flatMap((id) => contracts.get(id) ?? []));
}

export const walk: RequestReads['walk'] = ({ db }, { past, limit, ...wanted }) => {
  const asked = meaningOf(db, wanted);
  if (!('filter' in asked))
    return requestViews(db, behind(asked.rows, { past, limit, order: orderOf(wanted) }));
  return requestViews(db, walkRequests(db, { ...asked, ...wanted.order, past, limit }));
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
