/** Users: lookups, creation, and the changes that end their tokens. */
import { listOf } from '../page.js';
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite } from '../db.js';
import type { UserRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { newRow, pageBy, rowsBy, rowsIn, setById } from '../table.js';

const byId = rowsBy('users', 'id');
export const findUser = first(byId);
export const requireUser = required(byId);

/** The user of a log-in name, in any letter case. */
export const findUserByUsername = first(rowsBy('users', 'username'));

/** Undefined when the name is taken. */
export const insertUser = first(
  newRow(
    'users',
    ['username', 'passwordHash', 'firstName', 'lastName', 'phone', 'locale', 'address', 'role', 'enabled'],
    {
      stamps: ['createdAt', 'updatedAt'],
      end: sql`on conflict ("username") do nothing returning *`,
    },
  ),
);

/** Voids the links that were mailed before. */
const changedUser = (p: { id: number; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({ linkVersion: eb('linkVersion', '+', 1), updatedAt: p.now }))
    .where('id', '=', p.id);

/** And the access tokens. */
const lockedOutUser = (p: { id: number; now: string }) =>
  changedUser(p).set((eb) => ({ tokenVersion: eb('tokenVersion', '+', 1) }));

export const setPasswordHash = run((p: { id: number; passwordHash: string; now: string }) =>
  lockedOutUser(p).set({ passwordHash: p.passwordHash }),
);

/** Enables or disables an account; false when nothing changed. */
export const setEnabled = changed((p: { id: number; enabled: number; now: string }) =>
  lockedOutUser(p).set({ enabled: p.enabled }).where('enabled', '!=', p.enabled),
);

/** Rights come from the row, not the token, so they change with the next call. */
export const setRole = run(setById('users', ['role'], { stamps: ['updatedAt'] }));

/** What is left of a person whose data were erased. */
export const anonymizeUser = run((p: Pick<UserRow, 'id' | 'username' | 'passwordHash'> & { now: string }) =>
  lockedOutUser(p)
    .set({ username: p.username, passwordHash: p.passwordHash, enabled: 0, erasedAt: p.now })
    .set({
      firstName: '',
      lastName: '',
      phone: null,
      locale: null,
      address: null,
      role: 'ROLE_USER',
    }),
);

export const setUsername = run((p: { id: number; username: string; now: string }) =>
  changedUser(p).set({ username: p.username }),
);

export const setProfile = run(
  setById('users', ['firstName', 'lastName', 'phone', 'locale', 'address'], { stamps: ['updatedAt'] }),
);

/** True when there is another enabled administrator who can log in: one that was invited has no password yet. */
export const hasOtherAdministrator = exists((p: { id: number; without: string }) =>
  sqlite
    .selectFrom('users')
    .select('id')
    // A literal, so that the planner can use the partial index over administrators.
    .where('role', '=', 'ROLE_ADMIN')
    .where('enabled', '=', 1)
    .where('id', '!=', p.id)
    .where('passwordHash', '!=', p.without)
    .limit(1),
);

/** Users in the order of their ids, at most `limit` of them. */
export const listUsers = all(pageBy('users'));

export interface UserFilter {
  /** Null: any. */
  username: readonly string[] | null;
}

/** By the time they were added, or by e-mail address; both have an index. */
export const { page: listUserPage, walk: walkUsers } = listOf({
  rows: ({ username }: UserFilter) => {
    const all = sqlite.selectFrom('users').selectAll();
    return username ? all.where('username', 'in', anyOf(username)) : all;
  },
  orders: { createdAt: 'id', username: 'username' },
});

export const listUsersByIds = all(rowsIn('users', 'id', 'ids'));

/** Voids the access tokens of all users: each gets this version, or the next one. */
export const voidAccessTokens = run((p: { version: number }) =>
  sqlite.updateTable('users').set({ tokenVersion: sql<number>`max("tokenVersion" + 1, ${p.version})` }),
);
