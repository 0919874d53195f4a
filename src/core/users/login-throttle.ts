/**
 * Throttles password guessing (rules 11): 5 failures a minute per pair of account and address, so that a stranger
 * cannot lock anybody out from elsewhere, and 25 a minute per address. Attempts in progress count as failures, or a
 * thousand at once would all pass.
 */
import type { Clock } from '../clock.js';
import { SlidingWindow } from '../calls/sliding-window.js';

const FAILURES_PER_PAIR_MAX = 5;
const FAILURES_PER_ADDRESS_MAX = 25;
const WAIT_FOR_OTHERS_MS = 1_000;

export class LoginThrottle {
  readonly #failures: SlidingWindow;
  readonly #underWay = new Map<string, number>();

  constructor(clock: Clock) {
    this.#failures = new SlidingWindow(clock, { windowMs: 60_000 });
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
    for (const key of keys) this.#count(key, 1);
    try {
      const result = await attempt();
      if (result === undefined) for (const key of keys) this.#failures.add(key);
      else this.#failures.clear(pair(account, address));
      return result;
    } finally {
      for (const key of keys) this.#count(key, -1);
    }
  }

  #waitMs(key: string, max: number): number {
    const left = max - (this.#underWay.get(key) ?? 0);
    if (left <= 0) return Math.max(WAIT_FOR_OTHERS_MS, this.#failures.waitMs(key, max));
    return this.#failures.waitMs(key, left);
  }

  #count(key: string, change: 1 | -1): void {
    const count = (this.#underWay.get(key) ?? 0) + change;
    if (count === 0) this.#underWay.delete(key);
    else this.#underWay.set(key, count);
  }
}

function pair(account: string, address: string): string {
  // No address holds a line break; the limit keeps long account names from filling the memory.
  return `${address}\n${account.slice(0, 254)}`;
}
