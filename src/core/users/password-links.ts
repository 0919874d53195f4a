/**
 * Links by mail with which people set their password (rules 6): an invitation to an account without one, or a reset. A
 * token is 256 random bits, made when its mail leaves; only its digest is stored. It works once. A new password, another
 * address and a closed account end every link of the person. Opening a link changes nothing, because mail scanners do that.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { findPasswordLink, insertPasswordLink, markPasswordLinkUsed } from '../../db/users/log-ins.js';
import { findUser, findUserByUsername, requireUser } from '../../db/users/users.js';
import type { PasswordLinkRow, UserRow } from '../../db/schema.js';
import { CUSTOMER } from '../actor.js';
import { addMs, iso, HOUR_MS } from '../clock.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { HistoryWord } from '../history/history.js';
import { mailJob, type PasswordOrder } from '../mail/mail-job.js';
import { hashPassword, hasPassword, passwordFault } from './passwords.js';
import { actorOf } from './rights.js';
import { normalUsername } from './user-fields.js';
import { recordUser, replacePassword } from './users.js';
const LIFETIME_MS = { invitation: 72 * HOUR_MS, reset: HOUR_MS } as const;
const TOKEN = /^[0-9a-f]{64}$/;

export type PasswordLink =
  | { state: 'open'; purpose: PasswordLinkRow['purpose']; user: UserRow }
  /** void: the password, the address or the state of the account has changed since. */
  | { state: 'unknown' | 'used' | 'expired' | 'void' };

export type SetByLink = PasswordLink | { state: 'done'; user: UserRow };

/**
 * Orders the mail with a link for whoever has this address. The same is done and written when nobody has it, so that
 * neither the answer nor its time tells.
 */
export async function askForReset(ctx: Context, typed: string): Promise<void> {
  await change(ctx, { actor: CUSTOMER }, (tx) => {
    const user = findUserByUsername(tx.db, { username: normalUsername(typed) });
    const [userId, version] = user?.enabled ? [user.id, user.linkVersion] : [null, 0];
    tx.enqueue(mailJob, { mail: 'password-reset', userId, version, at: tx.now });
  });
}

/** As long as it is the same, the links that were mailed work; for limits, never to be shown. */
export function resetKey({ db }: Pick<Context, 'db'>, typed: string): string {
  const username = normalUsername(typed);
  const user = findUserByUsername(db, { username });
  return `${username}\n${user?.enabled ? `${user.id} ${user.linkVersion}` : ''}`;
}

export interface NewPasswordLink {
  user: UserRow;
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Makes the link of a mail that is about to leave; undefined when it has become pointless. */
export function makePasswordLink(ctx: Context, order: PasswordOrder): Promise<NewPasswordLink | undefined> {
  const token = randomBytes(32).toString('hex');
  const now = ctx.clock.now();
  return ctx.writer.write((db) => {
    const user = order.userId === null ? undefined : findUser(db, { id: order.userId });
    if (!user?.enabled || !isWanted(order, user, now)) return undefined;
    const purpose = order.mail === 'invitation' ? 'invitation' : 'reset';
    const expiresAt = iso(addMs(now, LIFETIME_MS[purpose]));
    const tokenHash = hash('sha256', token);
    // Earlier links stay: a mail that was repeated, or overtaken, must not hold a dead one.
    insertPasswordLink(db, {
      userId: user.id,
      purpose,
      tokenHash,
      version: user.linkVersion,
      expiresAt,
      now: iso(now),
    });
    return { user, url: `${ctx.config.baseUrl}/password/${token}`, expiresAt };
  });
}

/** Nobody is invited twice, and a reset that could not leave for an hour has been given up. */
function isWanted(order: PasswordOrder, user: UserRow, now: Date): boolean {
  if (order.mail === 'invitation') return !hasPassword(user);
  return order.version === user.linkVersion && iso(addMs(now, -LIFETIME_MS.reset)) < order.at;
}

export function readPasswordLink({ db, clock }: Pick<Context, 'db' | 'clock'>, token: string): PasswordLink {
  const link = TOKEN.test(token) ? findPasswordLink(db, { tokenHash: hash('sha256', token) }) : undefined;
  return link ? stateOf(db, link, iso(clock.now())) : { state: 'unknown' };
}

function stateOf(
  db: Db,
  { userId, purpose, version, expiresAt, usedAt }: PasswordLinkRow,
  now: string,
): PasswordLink {
  if (usedAt !== null) return { state: 'used' };
  if (expiresAt <= now) return { state: 'expired' };
  const user = requireUser(db, { id: userId });
  return user.enabled && user.linkVersion === version ? { state: 'open', purpose, user } : { state: 'void' };
}

const TOLD: Record<PasswordLinkRow['purpose'], HistoryWord> = {
  invitation: 'user.joined',
  reset: 'user.password_reset',
};

/**
 * Sets the password, once, and ends every token and session of the person. `done`, or why the link opens nothing; throws
 * `invalid` when the password is not acceptable.
 */
export async function setPasswordByLink(ctx: Context, token: string, password: string): Promise<SetByLink> {
  const before = readPasswordLink(ctx, token);
  if (before.state !== 'open') return before;
  const fault = passwordFault(password);
  if (fault) throw invalid({ password: fault });
  const passwordHash = await hashPassword(password);
  const result = await change(ctx, { actor: actorOf(before.user) }, (tx): SetByLink => {
    // Another tab may have been faster.
    const link = readPasswordLink({ db: tx.db, clock: ctx.clock }, token);
    if (link.state !== 'open') return link;
    const { purpose, user } = link;
    markPasswordLinkUsed(tx.db, { tokenHash: hash('sha256', token), now: tx.now });
    replacePassword(tx, user.id, passwordHash);
    recordUser(tx, TOLD[purpose], user.id);
    return { state: 'done', user };
  });
  if (result.state === 'done') ctx.log.info({ userId: result.user.id }, 'password set by link');
  return result;
}
