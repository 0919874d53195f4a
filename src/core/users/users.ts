/** Users: get, list, and the changes that end their tokens (rules 6). */
import type { Db } from '../../db/db.js';
import { revokeRefreshTokensOf } from '../../db/users/log-ins.js';
import {
  findUser,
  requireUser,
  findUserByUsername,
  hasOtherAdministrator,
  setEnabled,
  setPasswordHash,
} from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { see } from '../commands.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError, invalid, notFound, refused } from '../errors.js';
import type { HistoryWord } from '../history/history.js';
import { DUMMY_HASH, hashPassword, passwordFault } from './passwords.js';
import type { GetOne } from '../calls/owned.js';
import { maySee } from './rights.js';
import { normalUsername } from './user-fields.js';

/** Throws `not_found` when there is none. */
export function getUser(ctx: Context, id: number): UserRow {
  return there(findUser(ctx.db, { id }));
}

/** The user with this e-mail address; throws `not_found` when there is none. */
export function getUserByUsername(ctx: Context, username: string): UserRow {
  return there(findUserByUsername(ctx.db, { username: normalUsername(username) }));
}

/** The user with this e-mail address or number; throws `not_found` when there is none. */
export function getUserCalled({ db }: Pick<Context, 'db'>, name: string): UserRow {
  const found = /^\d{1,15}$/.test(name)
    ? findUser(db, { id: Number(name) })
    : findUserByUsername(db, { username: normalUsername(name) });
  return there(found, `There is no user ${name}.`);
}

/** A user as the caller may see it: itself, or anybody for administrators. Throws `not_found`. */
export const getUserOf: GetOne<UserRow> = ({ db }, user, id) => {
  const found = maySee(user, id) ? findUser(db, { id }) : undefined;
  if (!found) throw notFound('not_found', 'Not Found');
  return found;
};

/** Sets a password and ends every token of the user. Throws `invalid` when it is not acceptable. */
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
  await change(ctx, { actor, reason }, (tx) => {
    replacePassword(tx, id, passwordHash);
    recordUser(tx, 'user.password_set', id);
  });
  ctx.log.info({ userId: id }, 'password set');
  return getUser(ctx, user.id);
}

/**
 * Enables or disables an account; disabling ends every token of the user. Repeating it changes nothing. Refuses with
 * `last_administrator` to disable the only one.
 */
export async function setUserEnabled(
  ctx: Context,
  id: number,
  isEnabled: boolean,
  actor: Actor,
  reason?: string,
): Promise<UserRow> {
  const user = getUser(ctx, id);
  const changed = await change(ctx, { actor, reason }, (tx) => openOrClose(tx, id, isEnabled));
  if (changed) ctx.log.info({ userId: id }, isEnabled ? 'user enabled' : 'user disabled');
  return getUser(ctx, user.id);
}

/** Their data would come back. */
export function mustNotBeErased({ erasedAt }: Pick<UserRow, 'erasedAt'>): void {
  if (erasedAt !== null) throw refused('user_erased', 'This person’s data have been erased.');
}

/** Ends every token of the user. */
export function replacePassword({ db, now }: Change, id: number, passwordHash: string): void {
  setPasswordHash(db, { id, passwordHash, now });
  revokeRefreshTokensOf(db, { userId: id, now });
}

/** False when nothing changed. */
export function openOrClose(tx: Change, id: number, isEnabled: boolean): boolean {
  const { db, now } = tx;
  if (isEnabled && requireUser(db, { id }).erasedAt !== null) {
    throw refused('user_erased', 'This person’s data have been erased, so the account stays closed.');
  }
  if (!isEnabled) {
    keepAnAdministrator(db, id, 'enabled');
    revokeRefreshTokensOf(db, { userId: id, now });
  }
  const isNew = setEnabled(db, { id, enabled: isEnabled ? 1 : 0, now });
  if (isNew) recordUser(tx, isEnabled ? 'user.enabled' : 'user.disabled', id);
  return isNew;
}

/** Throws `last_administrator` when no other enabled administrator is left. */
export function keepAnAdministrator(db: Db, id: number, field: 'enabled' | 'roles'): void {
  const { role, enabled } = requireUser(db, { id });
  if (role !== 'ROLE_ADMIN' || !enabled || hasOtherAdministrator(db, { id, without: DUMMY_HASH })) return;
  const message = 'This is the last administrator who can log in.';
  throw new AppError('refused', 'last_administrator', message, {
    fields: { [field]: message },
    hint: 'Make another user an administrator first.',
  });
}

/** Records what was done to an account. */
export function recordUser(tx: Change, what: HistoryWord, id: number): void {
  tx.record(what, null, { userId: id, reason: tx.reason });
}

function there(user: UserRow | undefined, otherwise = 'There is no such user.'): UserRow {
  if (!user) throw notFound('not_found', otherwise, see('users list'));
  return user;
}

/** Who was let in at this version; undefined when they were disabled or got a new password meanwhile. */
export function findLetIn(
  db: Db,
  { id, tokenVersion }: Pick<UserRow, 'id' | 'tokenVersion'>,
): UserRow | undefined {
  const user = findUser(db, { id });
  return user?.enabled && user.tokenVersion === tokenVersion ? user : undefined;
}
