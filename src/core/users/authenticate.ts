/**
 * Log-in with name and password (rules 6). Unknown name, disabled account and wrong password take the same time and
 * get the same answer.
 */
import { findUserByUsername } from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { DUMMY_HASH, verifyPassword } from './passwords.js';
import { normalUsername } from './user-fields.js';
import { MINUTE_MS, type Clock } from '../clock.js';
import { SlidingWindow } from '../calls/sliding-window.js';

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
  return user?.enabled && isRight ? user : undefined;
}

// Throttles password guessing (rules 11): 5 failures a minute per pair of account and address, so that a stranger
// cannot lock anybody out from elsewhere, and 25 a minute per address. Attempts in progress count as failures, or a
// thousand at once would all pass.

const FAILURES_PER_PAIR_MAX = 5;
const FAILURES_PER_ADDRESS_MAX = 25;
const WAIT_FOR_OTHERS_MS = 1_000;

export class LoginThrottle {
  readonly #failures: SlidingWindow;
  /** The keys of each attempt. */
  readonly #underWay = new Set<string[]>();

  constructor(clock: Clock) {
    this.#failures = new SlidingWindow(clock, { windowMs: MINUTE_MS });
  }

  /** Milliseconds until this account may be tried from this address; 0 means now. */
  waitMs(account: string, address: string): number {
    return Math.max(
      this.#waitMs(pair(account, address), FAILURES_PER_PAIR_MAX),
      this.#waitMs(address, FAILURES_PER_ADDRESS_MAX),
    );
  }

  /** Runs one attempt and records its failure. */
  async watch<T>(account: string, address: string, attempt: () => Promise<T | undefined>) {
    const keys = [pair(account, address), address];
    this.#underWay.add(keys);
    try {
      const result = await attempt();
      if (result === undefined) for (const key of keys) this.#failures.add(key);
      else this.#failures.clear(pair(account, address));
      return result;
    } finally {
      this.#underWay.delete(keys);
    }
  }

  #waitMs(key: string, max: number): number {
    const left = max - [...this.#underWay].filter((keys) => keys.includes(key)).length;
    if (left <= 0) return Math.max(WAIT_FOR_OTHERS_MS, this.#failures.waitMs(key, max));
    return this.#failures.waitMs(key, left);
  }
}

function pair(account: string, address: string): string {
  // No address holds a line break; the limit keeps long account names from filling the memory.
  return `${address}\n${account.slice(0, 254)}`;
}
