/** Changes of a user (decisions 6): its profile and password by itself; by an administrator also its roles, and whether it may log in. */
import type { Db } from '../../db/db.js';
import { findUser, setProfile, setRole } from '../../db/users.js';
import type { Role, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { HistoryWord } from '../history.js';
import type { Given } from '../input.js';
import type { Precondition } from '../precondition.js';
import { authenticate } from './authenticate.js';
import type { LoginThrottle } from './login-throttle.js';
import { hashPassword } from './passwords.js';
import { actorOf } from './rights.js';
import { normalPhone } from './user-fields.js';
import { getUser, keepAnAdministrator, openOrClose, recordUser, replacePassword } from './users.js';

export type UserChange = Given<{
  /** Null clears it. */
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  password: string;
  role: Role;
  enabled: boolean;
}>;

export interface OwnChange extends UserChange {
  /** Proves, with a new password, that it is not somebody who found an open session. */
  currentPassword?: string | undefined;
  /** Where the call comes from: guesses of the current password are slowed down like those of a log-in. */
  address: string;
}

export type OwnOutcome = { type: 'changed'; user: UserRow } | { type: 'throttled'; waitMs: number };

/** A new password ends every token of the user, that of this call too. */
export async function changeMyself(
  ctx: Context,
  throttle: LoginThrottle,
  user: UserRow,
  { currentPassword, address, ...change }: OwnChange,
  precondition?: Precondition<UserRow>,
): Promise<OwnOutcome> {
  if (change.password !== undefined) {
    if (!currentPassword) throw invalid({ currentPassword: 'This value should not be blank.' });
    const proof = { username: user.username, password: currentPassword, address };
    const outcome = await authenticate(ctx, throttle, proof);
    if (outcome.type === 'throttled') return outcome;
    if (outcome.type === 'refused') throw wrongPassword();
  }
  return { type: 'changed', user: await changeUser(ctx, user, user.id, change, precondition) };
}

/**
 * The user as it is then; all of it is changed or nothing. A new password and closing the account end every token of the
 * user; throws `last_administrator` rather than to leave nobody who administers.
 */
export async function changeUser(
  ctx: Context,
  by: UserRow,
  id: number,
  change: UserChange,
  precondition?: Precondition<UserRow>,
): Promise<UserRow> {
  getUser(ctx, id);
  const passwordHash = change.password === undefined ? undefined : await hashPassword(change.password);
  const now = iso(ctx.clock.now());
  const user = await ctx.writer.write((db) => {
    const before = findUser(db, id) as UserRow;
    precondition?.(before);
    // The proof was for the password of then.
    if (passwordHash && by.id === id && before.tokenVersion !== by.tokenVersion) throw wrongPassword();
    const done = apply(db, before, change, now);
    if (passwordHash) replacePassword(db, { id, passwordHash, now });
    if (passwordHash) done.push('user.password_set');
    for (const what of done) recordUser(db, { at: now, actor: actorOf(by), what, id });
    return findUser(db, id) as UserRow;
  });
  const fields = Object.keys(change).filter((name) => change[name as keyof UserChange] !== undefined);
  ctx.log.info({ userId: id, fields }, 'user changed');
  return user;
}

/** What it has done, as the history calls it. */
function apply(db: Db, user: UserRow, change: UserChange, now: string): HistoryWord[] {
  const { id } = user;
  const done: HistoryWord[] = [];
  const profile = {
    firstName: change.firstName === undefined ? user.firstName : (change.firstName ?? '').trim(),
    lastName: change.lastName === undefined ? user.lastName : (change.lastName ?? '').trim(),
    phone: change.phone === undefined ? user.phone : normalPhone(change.phone),
  };
  const isNew = (name: keyof typeof profile) => profile[name] !== user[name];
  if (isNew('firstName') || isNew('lastName') || isNew('phone')) {
    setProfile(db, { id, ...profile, now });
    done.push('user.changed');
  }
  if (change.role && change.role !== user.role) {
    if (change.role === 'ROLE_USER') keepAnAdministrator(db, id, 'roles');
    setRole(db, { id, role: change.role, now });
    done.push(change.role === 'ROLE_ADMIN' ? 'user.promoted' : 'user.demoted');
  }
  if (change.enabled !== undefined && openOrClose(db, id, change.enabled, now)) {
    done.push(change.enabled ? 'user.enabled' : 'user.disabled');
  }
  return done;
}

function wrongPassword() {
  return invalid({ currentPassword: 'This value should be the current password.' });
}
