/** Users: lookups, creation, and the changes that end their tokens. */
import { pageOf, type Page } from '../page.js';
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite, type Db } from '../db.js';
import type { Role, UserRow } from '../schema.js';
import { anyOf, type Direction, type Place } from '../sql.js';
import { newRow, rowsBy, setById } from '../table.js';

const byId = rowsBy('users', 'id');
export const findUser = first(byId);
export const requireUser = required(byId);

/** The user of a log-in name, in any letter case. */
export const findUserByUsername = first(rowsBy('users', 'username'));

/** Undefined when the name is taken. */
export const insertUser = first(
  newRow(
    'users',
    ['username', 'passwordHash', 'firstName', 'lastName', 'phone', 'locale', 'role', 'enabled'],
    {
      stamps: ['createdAt', 'updatedAt'],
      end: sql`on conflict ("username") do nothing returning *`,
    },
  ),
);

/** Sets the hash and voids the access tokens and links made before. */
export const setPasswordHash = run((p: { id: number; passwordHash: string; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({
      passwordHash: p.passwordHash,
      tokenVersion: eb('tokenVersion', '+', 1),
      linkVersion: eb('linkVersion', '+', 1),
      updatedAt: p.now,
    }))
    .where('id', '=', p.id),
);

/** Enables or disables an account and voids its access tokens and links; false when nothing changed. */
export const setEnabled = changed((p: { id: number; enabled: number; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({
      enabled: p.enabled,
      tokenVersion: eb('tokenVersion', '+', 1),
      linkVersion: eb('linkVersion', '+', 1),
      updatedAt: p.now,
    }))
    .where('id', '=', p.id)
    .where('enabled', '!=', p.enabled),
);

/** Rights come from the row, not the token, so they change with the next call. */
export const setRole = run(setById('users', ['role'], { stamps: ['updatedAt'] }));

/** Voids the links that were mailed to the old address. */
export const setUsername = run((p: { id: number; username: string; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({ username: p.username, linkVersion: eb('linkVersion', '+', 1), updatedAt: p.now }))
    .where('id', '=', p.id),
);

export const setProfile = run(
  setById('users', ['firstName', 'lastName', 'phone', 'locale'], { stamps: ['updatedAt'] }),
);

/** True when there is another enabled administrator. */
export const hasOtherAdministrator = exists((p: { id: number }) =>
  sqlite
    .selectFrom('users')
    .select('id')
    // A literal, so that the planner can use the partial index over administrators.
    .where('role', '=', sql.lit<Role>('ROLE_ADMIN'))
    .where('enabled', '=', sql.lit(1))
    .where('id', '!=', p.id)
    .limit(1),
);

/** Users in the order of their ids, at most `limit` of them. */
export const listUsers = all((p: { afterId: number; limit: number }) =>
  sqlite.selectFrom('users').selectAll().where('id', '>', p.afterId).orderBy('id').limit(p.limit),
);

export interface UserFilter {
  /** Null: any. */
  username: readonly string[] | null;
}

interface UserOrder {
  filter: UserFilter;
  /** By the time they were added, or by e-mail address; both have an index. */
  by: 'id' | 'username';
  direction: Direction;
}

/** Users behind `past`, or from the beginning. */
export function walkUsers(
  db: Db,
  { filter, by, direction, past, limit }: UserOrder & { past?: Place | undefined; limit: number },
): UserRow[] {
  const page = filtered(filter).selectAll().orderBy(by, direction).limit(limit);
  return db.list(
    past ? page.where(by, direction === 'asc' ? '>' : '<', by === 'id' ? past.id : (past.key ?? '')) : page,
  );
}

export function listUserPage(
  db: Db,
  { filter, by, direction, ...part }: UserOrder & { limit: number; offset: number },
): Page<UserRow> {
  const some = filtered(filter);
  return pageOf(db, some, some.selectAll().orderBy(by, direction), part);
}

function filtered({ username }: UserFilter) {
  const all = sqlite.selectFrom('users');
  return username ? all.where('username', 'in', anyOf(username)) : all;
}

/** The users with these ids, in no order. */
export const listUsersByIds = all((p: { ids: readonly number[] }) =>
  sqlite.selectFrom('users').selectAll().where('id', 'in', anyOf(p.ids)),
);

/** Voids the access tokens of all users: each gets this version, or the next one. */
export const voidAccessTokens = run((p: { version: number }) =>
  sqlite.updateTable('users').set({ tokenVersion: sql<number>`max("tokenVersion" + 1, ${p.version})` }),
);
