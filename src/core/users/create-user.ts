/** Creates an account. The password is hashed before the transaction, which must not wait. */
import { insertUser } from '../../db/users.js';
import type { Role, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import { record } from '../history.js';
import type { Keep } from '../idempotency.js';
import { hashPassword, passwordFault } from './passwords.js';
import { nameFault, normalPhone, normalUsername, phoneFault, ROLES, usernameFault } from './user-fields.js';

export interface NewUser {
  /** An e-mail address; stored in lower case. */
  username: string;
  /** 12 to 128 characters. */
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** E.164, or none. */
  phone?: string | null | undefined;
  role?: Role | undefined;
}

/** The new user; throws `invalid` naming every field that is wrong, or `username` when it is taken. */
export async function createUser(
  ctx: Context,
  input: NewUser,
  actor: Actor,
  { keep, reason }: { keep?: Keep<UserRow> | undefined; reason?: string | undefined } = {},
): Promise<UserRow> {
  const username = normalUsername(input.username);
  const user = {
    username,
    firstName: (input.firstName ?? '').trim(),
    lastName: (input.lastName ?? '').trim(),
    phone: normalPhone(input.phone ?? null),
    role: input.role ?? 'ROLE_USER',
  };
  check({ ...user, password: input.password });
  const passwordHash = await hashPassword(input.password);
  const now = iso(ctx.clock.now());
  const row = await ctx.writer.write((db) => {
    const made = insertUser(db, { ...user, passwordHash, enabled: 1, now });
    if (!made) throw invalid({ username: 'This value is already used.' });
    const detail = { userId: made.id, role: made.role, ...(reason && { reason }) };
    record(db, { at: now, actor, what: 'user.created', requestId: null, detail });
    keep?.(db, made);
    return made;
  });
  ctx.log.info({ userId: row.id, role: row.role }, 'user created');
  return row;
}

function check(user: {
  username: string;
  password: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  role: Role;
}): void {
  const faults = {
    username: usernameFault(user.username),
    password: passwordFault(user.password),
    firstName: nameFault(user.firstName),
    lastName: nameFault(user.lastName),
    phone: phoneFault(user.phone),
    role: ROLES.includes(user.role) ? undefined : 'The value you selected is not a valid choice.',
  };
  const wrong = Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
}
