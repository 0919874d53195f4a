/**
 * What a key names (rules 10): a request by its number, its reference in any spelling, `contract:<id>`, a signId or a
 * paymentId; a customer by the e-mail address. What names neither is searched for by its words.
 */
import { findContract, findContractBySignId } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findPayment } from '../../db/payments/payments.js';
import { listRequests, type RequestFilter, findRequest } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { findUserByUsername } from '../../db/users/users.js';
import { ANY_TIME } from '../calls/listing.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { searchRequests } from '../search/search.js';
import { normalUsername } from '../users/user-fields.js';

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
