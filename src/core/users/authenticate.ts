/**
 * Log-in with name and password (rules 6). Unknown name, disabled account and wrong password take the same time and
 * get the same answer.
 */
import { findUserByUsername } from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import type { LoginThrottle } from './login-throttle.js';
import { DUMMY_HASH, verifyPassword } from './passwords.js';
import { normalUsername } from './user-fields.js';

export type Authentication =
  | { type: 'known'; user: UserRow }
  | { type: 'refused' }
  | { type: 'throttled'; waitMs: number };

export interface Credentials {
  username: string;
  password: string;
  /** The caller's address, in canonical form. */
  address: string;
}

export async function authenticate(
  ctx: Context,
  throttle: LoginThrottle,
  { username, password, address }: Credentials,
): Promise<Authentication> {
  const account = normalUsername(username);
  const waitMs = throttle.waitMs(account, address);
  if (waitMs > 0) {
    ctx.log.warn('log-in throttled');
    ctx.log.debug({ address }, 'address of the throttled log-in');
    return { type: 'throttled', waitMs };
  }
  const user = await throttle.watch(account, address, () => findByPassword(ctx, account, password));
  if (user) return { type: 'known', user };
  ctx.log.info('log-in refused');
  ctx.log.debug({ address }, 'address of the refused log-in');
  return { type: 'refused' };
}

async function findByPassword(ctx: Context, account: string, password: string): Promise<UserRow | undefined> {
  const user = findUserByUsername(ctx.db, { username: account });
  const isRight = await verifyPassword(user?.passwordHash ?? DUMMY_HASH, password);
  return isRight && user?.enabled ? user : undefined;
}
