/** Users: lookups, creation, and the changes that void their tokens. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { Role, Schema, UserRow } from './schema.js';
import { anyOf, rows } from './sql.js';

const byId = query((p: { id: number }) => sqlite.selectFrom('users').selectAll().where('id', '=', p.id));

export function findUser(db: Db, id: number): UserRow | undefined {
  return db.first(byId, { id });
}

const byUsername = query((p: { username: string }) =>
  sqlite.selectFrom('users').selectAll().where('username', '=', p.username),
);

/** The user of a log-in name; letter case does not count. */
export function findUserByUsername(db: Db, username: string): UserRow | undefined {
  return db.first(byUsername, { username });
}

export interface NewUserRow {
  username: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  role: Role;
  enabled: number;
  now: string;
}

const insertion = query((p: NewUserRow) =>
  sqlite
    .insertInto('users')
    .values({
      username: p.username,
      passwordHash: p.passwordHash,
      firstName: p.firstName,
      lastName: p.lastName,
      phone: p.phone,
      role: p.role,
      enabled: p.enabled,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returningAll(),
);

/** Undefined when the name is taken. */
export function insertUser(db: Db, user: NewUserRow): UserRow | undefined {
  return db.first(insertion, user);
}

const passwordUpdate = query((p: { id: number; passwordHash: string; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({
      passwordHash: p.passwordHash,
      tokenVersion: eb('tokenVersion', '+', 1),
      updatedAt: p.now,
    }))
    .where('id', '=', p.id),
);

/** Sets the hash and voids the access tokens made before. */
export function setPasswordHash(db: Db, change: { id: number; passwordHash: string; now: string }): void {
  db.run(passwordUpdate, change);
}

const enabledUpdate = query((p: { id: number; enabled: number; now: string }) =>
  sqlite
    .updateTable('users')
    .set((eb) => ({ enabled: p.enabled, tokenVersion: eb('tokenVersion', '+', 1), updatedAt: p.now }))
    .where('id', '=', p.id)
    .where('enabled', '!=', p.enabled),
);

/** Opens or closes an account and voids its access tokens; false when it was so already. */
export function setEnabled(db: Db, change: { id: number; enabled: number; now: string }): boolean {
  return db.run(enabledUpdate, change) === 1;
}

const roleUpdate = query((p: { id: number; role: Role; now: string }) =>
  sqlite.updateTable('users').set({ role: p.role, updatedAt: p.now }).where('id', '=', p.id),
);

/** Rights follow the row, not the token: they change with the next call. */
export function setRole(db: Db, change: { id: number; role: Role; now: string }): void {
  db.run(roleUpdate, change);
}

const profileUpdate = query(
  (p: { id: number; firstName: string; lastName: string; phone: string | null; now: string }) =>
    sqlite
      .updateTable('users')
      .set({ firstName: p.firstName, lastName: p.lastName, phone: p.phone, updatedAt: p.now })
      .where('id', '=', p.id),
);

export function setProfile(
  db: Db,
  change: { id: number; firstName: string; lastName: string; phone: string | null; now: string },
): void {
  db.run(profileUpdate, change);
}

const otherAdministrator = query((p: { id: number }) =>
  sqlite
    .selectFrom('users')
    .select('id')
    // Spelled out, so that the planner may use the index over administrators.
    .where('role', '=', sql.lit<Role>('ROLE_ADMIN'))
    .where('enabled', '=', sql.lit(1))
    .where('id', '!=', p.id)
    .limit(rows(1)),
);

/** True when somebody else than this user administers the service. */
export function hasOtherAdministrator(db: Db, id: number): boolean {
  return db.first(otherAdministrator, { id }) !== undefined;
}

const page = query((p: { afterId: number; limit: number }) =>
  sqlite.selectFrom('users').selectAll().where('id', '>', p.afterId).orderBy('id').limit(rows(p.limit)),
);

/** Users in the order of their ids, at most `limit` of them. */
export function listUsers(db: Db, { afterId, limit }: { afterId: number; limit: number }): UserRow[] {
  return db.all(page, { afterId, limit });
}

export interface UserFilter {
  /** Null: any. */
  username: readonly string[] | null;
}

/** A page of users, in the order of their ids. */
export function listUserPage(
  db: Db,
  filter: UserFilter,
  { limit, offset }: { limit: number; offset: number },
): UserRow[] {
  const some = where(sqlite.selectFrom('users').selectAll(), filter);
  return db.list(some.orderBy('id').limit(rows(limit)).offset(rows(offset)));
}

export function countUsers(db: Db, filter: UserFilter): number {
  const all = sqlite.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'users', O>,
  { username }: UserFilter,
): SelectQueryBuilder<Schema, 'users', O> {
  return username ? all.where('username', 'in', anyOf<string>(JSON.stringify(username))) : all;
}

const byIds = query((p: { ids: string }) =>
  sqlite.selectFrom('users').selectAll().where('id', 'in', anyOf<number>(p.ids)),
);

/** The users with these ids, in no order. */
export function listUsersByIds(db: Db, ids: readonly number[]): UserRow[] {
  return db.all(byIds, { ids: JSON.stringify(ids) });
}
