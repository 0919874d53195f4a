/**
 * The list that staff looks through: by filter, or by what somebody reads out on the phone. A reference, a number, a
 * signId or a paymentId names one request, an e-mail address those of one customer; anything else is words of titles.
 */
import { findContract, findContractBySignId } from '../../db/contracts.js';
import { listNewestContracts } from '../../db/contract-lists.js';
import type { Db } from '../../db/db.js';
import { countRequests, listRequests } from '../../db/request-lists.js';
import {
  countFoundRequests,
  findRequestByPaymentId,
  searchRequests,
  TITLE_HITS_MAX,
  type StaffFilter,
} from '../../db/request-search.js';
import { findRequest } from '../../db/requests.js';
import { findUserByUsername, listUsersByIds } from '../../db/users.js';
import type { ContractRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { REQUEST_STATUSES } from '../lifecycle.js';
import type { Listing, PageOf } from '../listing.js';
import { normalUsername } from '../users/user-fields.js';

export interface Browse extends PageOf {
  /** As typed; empty: everything. */
  search: string;
  filter: StaffFilter;
}

export interface BrowsedRequest {
  request: RequestRow;
  customer: UserRow;
  /** The one that counts, if there is one. */
  contract: ContractRow | undefined;
}

export interface BrowsedRequests extends Listing<BrowsedRequest> {
  /** More titles hold the words than were looked at; `total` counts only the newest. */
  isCapped: boolean;
}

export function browseRequests({ db }: Context, browse: Browse): BrowsedRequests {
  const { total, rows, isCapped = false } = find(db, browse);
  return { total, isCapped, rows: withPeople(db, rows) };
}

/** Requests beside their customers and contracts. */
export function withPeople(db: Db, rows: readonly RequestRow[]): BrowsedRequest[] {
  const ownerIds = [...new Set(rows.map(({ ownerId }) => ownerId))];
  const customers = new Map(listUsersByIds(db, ownerIds).map((user) => [user.id, user]));
  const contracts = listNewestContracts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((request) => ({
    request,
    customer: customers.get(request.ownerId) as UserRow,
    contract: contracts.get(request.id),
  }));
}

type Found = Listing<RequestRow> & { isCapped?: boolean };

const ANY_TIME = { from: null, until: null };
const ALL = { status: null, createdAt: ANY_TIME };
const NOTHING: Found = { total: 0, rows: [] };

/** How many requests there are in each status. */
export function countByStatus({ db }: Context): Record<RequestStatus, number> {
  const counts = REQUEST_STATUSES.map((status) => {
    const filter = { ownerId: null, status: [status], equipment: null, createdAt: ANY_TIME };
    return [status, countRequests(db, filter)];
  });
  return Object.fromEntries(counts) as Record<RequestStatus, number>;
}

function find(db: Db, browse: Browse): Found {
  const search = browse.search.trim();
  if (search === '') return filtered(db, browse, null);
  if (search.includes('@')) {
    const customer = findUserByUsername(db, normalUsername(search));
    return customer ? filtered(db, browse, customer.id) : NOTHING;
  }
  const named = findNamed(db, search);
  if (named) return { total: 1, rows: [named] };
  return byTitle(db, browse, search);
}

function filtered(db: Db, { filter, limit, offset }: Browse, ownerId: number | null): Found {
  const all = { ...filter, ownerId, equipment: null };
  return listRequests(db, { filter: all, direction: 'desc', limit, offset });
}

/** The request that a number, reference, signId or paymentId stands for. */
function findNamed(db: Db, word: string): RequestRow | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(word) ?? /^REQ-\d{4}-(\d{6,15})$/i.exec(word) ?? [];
  if (digits !== undefined) {
    const request = findRequest(db, Number(digits));
    return word.toUpperCase().startsWith('REQ-') && request?.reference !== word.toUpperCase()
      ? undefined
      : request;
  }
  const [, contractId] = /^contract:(\d{1,15})$/i.exec(word) ?? [];
  const contract =
    contractId === undefined ? findContractBySignId(db, word) : findContract(db, Number(contractId));
  return contract ? findRequest(db, contract.requestId) : findRequestByPaymentId(db, word);
}

function byTitle(db: Db, { filter, limit, offset }: Browse, search: string): Found {
  const words = wordsOf(search);
  if (words.length === 0) return NOTHING;
  const whole = words.join(' ');
  // A whole word is one list of the index; all words that begin so are many, merged before the newest are known.
  const isCommon = countFoundRequests(db, { match: whole, filter: ALL }) >= TITLE_HITS_MAX;
  const match = isCommon ? whole : words.map((word) => `${word}*`).join(' ');
  const total = countFoundRequests(db, { match, filter });
  const rows = searchRequests(db, { match, filter, limit, offset });
  return { total, rows, isCapped: isCommon || total >= TITLE_HITS_MAX };
}

/** Each must be, or begin, a word of the title; in quotes, so that signs of the query language are only signs. */
function wordsOf(search: string): string[] {
  const words = search.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, 10).map((word) => `"${word}"`);
}
