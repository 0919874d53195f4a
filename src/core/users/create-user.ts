/** Creates an account. The password is hashed before the transaction, which must be synchronous; without one, its owner is invited. */
import { findUserByUsername, insertUser, requireUser } from '../../db/users/users.js';
import type { Role, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { change, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import type { Config } from '../settings/config.js';
import type { Locale } from '../texts/index.js';
import type { Keep } from '../calls/idempotency.js';
import { DUMMY_HASH, hashPassword, hasPassword, passwordFault } from './passwords.js';
import {
  addressFault,
  localeFault,
  nameFault,
  normalAddress,
  normalPhone,
  normalUsername,
  phoneFault,
  ROLES,
  usernameFault,
} from './user-fields.js';
import { normalName } from './signer-fields.js';
import { deleteIdleJobs } from '../../db/jobs/jobs.js';
import { command } from '../commands.js';
import { invitationKeys, mailJob } from '../mail/mail-job.js';
import { getUser, mustNotBeErased, recordUser } from './users.js';

export interface NewUser {
  /** An e-mail address; stored in lower case. */
  username: string;
  /** 12 to 128 characters. Undefined: a mail with a link invites the user to set one. */
  password?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** E.164, or none. */
  phone?: string | null | undefined;
  /** The postal address, in lines. */
  address?: string | null | undefined;
  /** Undefined or null: that of the settings. */
  locale?: Locale | null | undefined;
  role?: Role | undefined;
}

/** The new user. Throws `invalid` naming every wrong field, or `username` when it is taken. */
export async function createUser(
  ctx: Context,
  input: NewUser,
  actor: Actor,
  { keep, reason }: { keep?: Keep<UserRow> | undefined; reason?: string | undefined } = {},
): Promise<UserRow> {
  const user = storedForm(ctx.config, input);
  const { password } = input;
  const fault = password === undefined ? undefined : passwordFault(password);
  refuse({ ...faultsOf(user), password: fault });
  const passwordHash = password === undefined ? DUMMY_HASH : await hashPassword(password);
  const row = await change(ctx, { actor, reason }, (tx) => {
    const made = add(tx, user, passwordHash);
    if (!hasPassword(made)) orderInvitation(tx, made.id);
    keep?.(tx.db, made);
    return made;
  });
  ctx.log.info({ userId: row.id, role: row.role }, 'user created');
  return row;
}

/** In a change that makes more: one without a password, whom nobody has invited. */
export function addCustomer({ config }: Pick<Context, 'config'>, tx: Change, input: Fields): UserRow {
  const user = storedForm(config, input);
  refuse(faultsOf(user));
  return add(tx, user, DUMMY_HASH);
}

function add(tx: Change, user: ReturnType<typeof storedForm>, passwordHash: string): UserRow {
  const made = insertUser(tx.db, { ...user, passwordHash, enabled: 1, now: tx.now });
  if (!made) throw invalid({ username: TAKEN });
  tx.record('user.created', null, { userId: made.id, role: made.role, reason: tx.reason });
  return made;
}

export const TAKEN = 'This value is already used.';

/** The user as createUser would store it; throws what createUser would throw, but for the password. */
export function mustBeCreatable(ctx: Context, input: Fields) {
  const user = storedForm(ctx.config, input);
  const taken = findUserByUsername(ctx.db, { username: user.username }) && TAKEN;
  const faults = faultsOf(user);
  refuse({ ...faults, username: faults.username ?? taken });
  return user;
}

function storedForm(
  { country }: Pick<Config, 'country'>,
  {
    username,
    role = 'ROLE_USER',
    firstName = '',
    lastName = '',
    phone = null,
    locale = null,
    address = null,
  }: Fields,
) {
  return {
    username: normalUsername(username),
    role,
    firstName: normalName(firstName),
    lastName: normalName(lastName),
    phone: normalPhone(phone, country),
    locale,
    address: normalAddress(address),
  };
}

type Fields = Omit<NewUser, 'password'>;

function faultsOf({
  username,
  role,
  firstName,
  lastName,
  phone,
  locale,
  address,
}: ReturnType<typeof storedForm>) {
  return {
    username: usernameFault(username, role),
    firstName: nameFault(firstName),
    lastName: nameFault(lastName),
    phone: phoneFault(phone),
    locale: localeFault(locale),
    address: addressFault(address),
    role: ROLES.includes(role) ? undefined : 'The value you selected is not a valid choice.',
  };
}

/** Throws `invalid` with the fields that have a fault. */
export function refuse(faults: Record<string, string | undefined>): void {
  const wrong = Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
}

// Invites somebody whose account has no password yet: a mail with a link to set one (rules 6).

/** Sends the invitation, again too. Throws `has_password` for who needs none, and `user_disabled`. */
export async function inviteUser(ctx: Context, id: number, { dryRun = false, ...by }: Try): Promise<UserRow> {
  const user = getUser(ctx, id);
  mustBeInvitable(user);
  if (dryRun) return user;
  await change(ctx, by, (tx) => {
    mustBeInvitable(requireUser(tx.db, { id }));
    orderInvitation(tx, id);
  });
  ctx.log.info({ userId: id }, 'user invited');
  return user;
}

/** The mail goes to the address that the account has then. */
export function orderInvitation(tx: Change, userId: number): void {
  const prefix = invitationKeys(userId);
  // One that was refused, or has failed, is replaced.
  deleteIdleJobs(tx.db, { prefix, before: `${prefix}~` });
  tx.enqueueAgain(mailJob, { mail: 'invitation', userId, at: tx.now });
  recordUser(tx, 'user.invited', userId);
}

function mustBeInvitable(user: UserRow): void {
  mustNotBeErased(user);
  if (!user.enabled) {
    throw refused('user_disabled', 'This account is closed.', [
      'Open it first: `',
      command('users enable', user.username),
      '`.',
    ]);
  }
  if (hasPassword(user)) {
    throw refused(
      'has_password',
      'This person has a password and needs no invitation.',
      'Who has forgotten the password asks for a link on the log-in page.',
    );
  }
}
