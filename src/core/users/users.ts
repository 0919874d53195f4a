/** Users: get, list, and the changes that void their tokens (decisions 6). */
import type { Db } from '../../db/db.js';
import { revokeRefreshTokensOf } from '../../db/refresh-tokens.js';
import {
  countUsers,
  findUser,
  findUserByUsername,
  hasOtherAdministrator,
  listUserPage,
  listUsers as listUserRows,
  setEnabled,
  setPasswordHash,
  type UserFilter,
} from '../../db/users.js';
import type { UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, invalid, notFound } from '../errors.js';
import { record, type HistoryEntry } from '../history.js';
import type { Listing, PageOf } from '../listing.js';
import { hashPassword, passwordFault } from './passwords.js';
import { maySee, mustBeAdmin } from './rights.js';
import { normalUsername } from './user-fields.js';

/** Throws `not_found` when there is none. */
export function getUser(ctx: Context, id: number): UserRow {
  return there(findUser(ctx.db, id));
}

/** The user with this e-mail address; throws `not_found` when there is none. */
export function getUserByUsername(ctx: Context, username: string): UserRow {
  return there(findUserByUsername(ctx.db, normalUsername(username)));
}

/** Users in the order of their ids. */
export function listUsers(ctx: Context, page: { afterId: number; limit: number }): UserRow[] {
  return listUserRows(ctx.db, page);
}

/** A page of all users; theirs to see who administers. */
export function listAllUsers(
  { db }: Context,
  user: UserRow,
  { filter, limit, offset }: PageOf & { filter: UserFilter },
): Listing<UserRow> {
  mustBeAdmin(user);
  return { total: countUsers(db, filter), rows: listUserPage(db, filter, { limit, offset }) };
}

/** As another user may see it: itself, or all of them as an administrator; throws `not_found`. */
export function getUserOf(ctx: Context, user: UserRow, id: number): UserRow {
  const found = maySee(user, id) ? findUser(ctx.db, id) : undefined;
  if (!found) throw notFound('not_found', 'Not Found');
  return found;
}

/** A page of users for staff; with a name only the user who has it. */
export function browseUsers(
  ctx: Context,
  { username, ...page }: { username: string; afterId: number; limit: number },
): UserRow[] {
  if (username === '') return listUsers(ctx, page);
  const user = findUserByUsername(ctx.db, username);
  return user ? [user] : [];
}

/** Sets a password; every token of the user ends with it. Throws `invalid` when it is not acceptable. */
export async function setPassword(
  ctx: Context,
  id: number,
  password: string,
  actor: Actor,
  reason?: string,
): Promise<UserRow> {
  const user = getUser(ctx, id);
  const fault = passwordFault(password);
  if (fault) throw invalid({ password: fault });
  const passwordHash = await hashPassword(password);
  const now = iso(ctx.clock.now());
  await ctx.writer.write((db) => {
    replacePassword(db, { id, passwordHash, now });
    recordUser(db, { at: now, actor, what: 'user.password_set', id, reason });
  });
  ctx.log.info({ userId: id }, 'password set');
  return getUser(ctx, user.id);
}

/**
 * Opens or closes an account; closing ends every token of the user. The same again changes nothing. Refuses with
 * `last_administrator` to close the account of the only one.
 */
export async function setUserEnabled(
  ctx: Context,
  id: number,
  isEnabled: boolean,
  actor: Actor,
  reason?: string,
): Promise<UserRow> {
  const user = getUser(ctx, id);
  const now = iso(ctx.clock.now());
  const changed = await ctx.writer.write((db) => {
    const isNew = openOrClose(db, id, isEnabled, now);
    const what = isEnabled ? 'user.enabled' : 'user.disabled';
    if (isNew) recordUser(db, { at: now, actor, what, id, reason });
    return isNew;
  });
  if (changed) ctx.log.info({ userId: id }, isEnabled ? 'user enabled' : 'user disabled');
  return getUser(ctx, user.id);
}

/** To be called in a transaction; ends every token of the user. */
export function replacePassword(db: Db, change: { id: number; passwordHash: string; now: string }): void {
  setPasswordHash(db, change);
  revokeRefreshTokensOf(db, change.id, change.now);
}

/** To be called in a transaction; false when it was so already. */
export function openOrClose(db: Db, id: number, isEnabled: boolean, now: string): boolean {
  if (!isEnabled) {
    keepAnAdministrator(db, id, 'enabled');
    revokeRefreshTokensOf(db, id, now);
  }
  return setEnabled(db, { id, enabled: isEnabled ? 1 : 0, now });
}

/** Throws `last_administrator` when nobody else could administer the service any more. */
export function keepAnAdministrator(db: Db, id: number, field: 'enabled' | 'roles'): void {
  const { role, enabled } = findUser(db, id) as UserRow;
  if (role !== 'ROLE_ADMIN' || !enabled || hasOtherAdministrator(db, id)) return;
  const message = 'This is the last enabled administrator.';
  throw new AppError('refused', 'last_administrator', message, {
    fields: { [field]: message },
    hint: 'Make another user administrator first.',
  });
}

interface UserEntry extends Pick<HistoryEntry, 'at' | 'actor' | 'what'> {
  id: number;
  reason?: string | undefined;
}

/** Writes down what was done to an account; always in the transaction of that. */
export function recordUser(db: Db, { id, reason, ...entry }: UserEntry): void {
  record(db, { ...entry, requestId: null, detail: { userId: id, ...(reason && { reason }) } });
}

function there(user: UserRow | undefined): UserRow {
  if (!user) throw notFound('not_found', 'There is no such user.');
  return user;
}
