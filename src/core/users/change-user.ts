/** Changes of a user (rules 6): users change their own profile and password; administrators also roles and `enabled`. */
import { requireUser, setProfile, setRole } from '../../db/users/users.js';
import type { Role, UserRow } from '../../db/schema.js';
import { change, type Change } from '../change.js';
import type { Precondition } from '../calls/use-cases.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { HistoryWord } from '../history/history.js';
import type { Given } from '../calls/input.js';
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
  /** Needed for a new password, so that an unattended session is not enough. */
  currentPassword?: string | undefined;
  /** The caller's address: guesses of the current password are throttled like log-ins. */
  address: string;
}

export type OwnOutcome = { type: 'changed'; user: UserRow } | { type: 'throttled'; waitMs: number };

/** A new password ends every token of the user, including this call's. */
export async function changeMyself(
  ctx: Context,
  throttle: LoginThrottle,
  user: UserRow,
  { currentPassword, address, ...wanted }: OwnChange,
  precondition?: Precondition<UserRow>,
): Promise<OwnOutcome> {
  if (wanted.password !== undefined) {
    if (!currentPassword) throw invalid({ currentPassword: 'This value should not be blank.' });
    const proof = { username: user.username, password: currentPassword, address };
    const outcome = await authenticate(ctx, throttle, proof);
    if (outcome.type === 'throttled') return outcome;
    if (outcome.type === 'refused') throw wrongPassword();
  }
  return { type: 'changed', user: await changeUser(ctx, user, user.id, wanted, precondition) };
}

/**
 * Returns the changed user; all or nothing. A new password and disabling end every token of the user. Throws
 * `last_administrator` rather than leave no administrator.
 */
export async function changeUser(
  ctx: Context,
  by: UserRow,
  id: number,
  wanted: UserChange,
  precondition?: Precondition<UserRow>,
): Promise<UserRow> {
  getUser(ctx, id);
  const passwordHash = wanted.password === undefined ? undefined : await hashPassword(wanted.password);
  const user = await change(ctx, { actor: actorOf(by) }, (tx) => {
    const { db } = tx;
    const before = requireUser(db, { id });
    precondition?.(before);
    // The current password was proved against an older one.
    if (passwordHash && by.id === id && before.tokenVersion !== by.tokenVersion) throw wrongPassword();
    const done = apply(tx, before, wanted);
    if (passwordHash) replacePassword(tx, id, passwordHash);
    if (passwordHash) done.push('user.password_set');
    for (const what of done) recordUser(tx, what, id);
    return requireUser(db, { id });
  });
  ctx.log.info({ userId: id, fields: Object.keys(wanted) }, 'user changed');
  return user;
}

/** Returns what was done, in the history's words. */
function apply(tx: Change, user: UserRow, wanted: UserChange): HistoryWord[] {
  const { db, now } = tx;
  const { id } = user;
  const done: HistoryWord[] = [];
  const profile = {
    firstName: wanted.firstName === undefined ? user.firstName : (wanted.firstName ?? '').trim(),
    lastName: wanted.lastName === undefined ? user.lastName : (wanted.lastName ?? '').trim(),
    phone: wanted.phone === undefined ? user.phone : normalPhone(wanted.phone),
  };
  const isNew = (name: keyof typeof profile) => profile[name] !== user[name];
  if (isNew('firstName') || isNew('lastName') || isNew('phone')) {
    setProfile(db, { id, ...profile, now });
    done.push('user.changed');
  }
  if (wanted.role && wanted.role !== user.role) {
    keepAnAdministrator(db, id, 'roles');
    setRole(db, { id, role: wanted.role, now });
    done.push(wanted.role === 'ROLE_ADMIN' ? 'user.promoted' : 'user.demoted');
  }
  if (wanted.enabled !== undefined && openOrClose(tx, id, wanted.enabled)) {
    done.push(wanted.enabled ? 'user.enabled' : 'user.disabled');
  }
  return done;
}

function wrongPassword() {
  return invalid({ currentPassword: 'This value should be the current password.' });
}
