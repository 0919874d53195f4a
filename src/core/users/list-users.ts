/** The list of users, by words, address and order. */
import { listUserPage, walkUsers } from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import { behind, inOrder, type FoundOrder } from '../calls/listing.js';
import type { Db } from '../../db/db.js';
import type { UserReads } from '../resources/users.js';
import { searchCustomers } from '../search/search.js';
import { normalUsername } from './user-fields.js';

type Wanted = Parameters<UserReads['walk']>[1];

const SEARCHED_MAX = 1_000;

export const walk: UserReads['walk'] = ({ db }, wanted) => {
  const { filter, past, limit } = wanted;
  if (filter.search !== null)
    return behind(found(db, filter.search, wanted), { past, limit, order: orderOf(wanted) });
  return walkUsers(db, { ...inDb(wanted), past, limit });
};

export const page: UserReads['page'] = ({ db }, wanted) => {
  const { filter, limit, offset } = wanted;
  if (filter.search === null) return listUserPage(db, { ...inDb(wanted), limit, offset });
  const rows = found(db, filter.search, wanted);
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
};

function inDb({ filter: { username }, order: { by, direction } }: Pick<Wanted, 'filter' | 'order'>) {
  const filter = { username: username && username.map(normalUsername) };
  return { filter, by, direction };
}

function found(db: Db, typed: string, wanted: Pick<Wanted, 'filter' | 'order'>): UserRow[] {
  const { filter } = inDb(wanted);
  const rows = searchCustomers(db, typed, SEARCHED_MAX).filter(
    ({ username }) => filter.username?.includes(username) ?? true,
  );
  return inOrder(rows, orderOf(wanted));
}

function orderOf({ order: { by, direction } }: Pick<Wanted, 'order'>): FoundOrder<UserRow> {
  return { direction, keyOf: by === 'username' ? ({ username }) => username : undefined };
}
