/**
 * Counts the calls of each key within the window that ends now, by the context's clock: a true sliding window.
 *
 * Calls within a sixtieth of the window are kept as one entry, which leaves with the last of them: in no window do more
 * calls pass than the limit, and a client that pauses for a whole window is free again. Clocks are adjusted by fractions of a second
 * all the time, which loses no call. Times further ahead were left by a clock that has been set back; they lock nobody
 * out.
 */
import type { Clock } from '../clock.js';

const ENTRIES_PER_WINDOW = 60;
const KEYS_MAX = 10_000;

export interface SlidingWindowOptions {
  windowMs: number;
  /** When there are more, the longest quiet ones are forgotten. */
  keysMax?: number;
}

/** What is left to a key after a call. */
export interface Quota {
  isWithin: boolean;
  remaining: number;
  /** Time until the oldest counted call leaves the window. */
  waitMs: number;
}

/** Calls that leave the window together, one window after `lastAt`; epoch milliseconds. */
export interface Calls {
  firstAt: number;
  lastAt: number;
  count: number;
}

export class SlidingWindow {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #entryMs: number;
  readonly #keysMax: number;
  /** Entries oldest first; keys longest quiet first. */
  readonly #calls = new Map<string, Calls[]>();

  constructor(clock: Clock, { windowMs, keysMax = KEYS_MAX }: SlidingWindowOptions) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#entryMs = windowMs / ENTRIES_PER_WINDOW;
    this.#keysMax = keysMax;
  }

  /** Counts a call, unless `limit` of them count already. Refused calls do not count, so waiting as advised is enough. */
  take(key: string, limit: number): Quota {
    const now = this.#now();
    const calls = this.#current(key, now);
    const counted = total(calls);
    const isWithin = counted < limit;
    if (isWithin) this.#count(key, calls, now);
    const waitMs = this.#leavesIn(calls[0]?.lastAt ?? now, now);
    return { isWithin, remaining: Math.max(0, limit - counted - Number(isWithin)), waitMs };
  }

  isFull(key: string, limit: number): boolean {
    return total(this.#current(key, this.#now())) >= limit;
  }

  add(key: string): void {
    const now = this.#now();
    this.#count(key, this.#current(key, now), now);
  }

  /** Milliseconds until fewer than `max` calls count; 0 when that is so now. */
  waitMs(key: string, max: number): number {
    const now = this.#now();
    let counted = 0;
    for (const { lastAt, count } of this.#current(key, now).toReversed()) {
      counted += count;
      if (counted >= max) return Math.max(1, this.#leavesIn(lastAt, now));
    }
    return 0;
  }

  clear(key: string): void {
    this.#calls.delete(key);
  }

  /** The calls of every key that still count and are no older than this. */
  callsSince(at: number): (Calls & { key: string })[] {
    const now = this.#now();
    return [...this.#calls.keys()].flatMap((key) =>
      this.#current(key, now).flatMap((calls) => (calls.lastAt >= at ? { key, ...calls } : [])),
    );
  }

  /** Adds calls counted earlier; to be called in the order of `lastAt`. */
  restore(key: string, calls: Calls): void {
    this.#put(key, [...this.#current(key, this.#now()), calls]);
  }

  #current(key: string, now: number): Calls[] {
    const calls = this.#calls.get(key) ?? [];
    const counts = ({ firstAt, lastAt }: Calls) =>
      firstAt - now < this.#entryMs && now - lastAt < this.#windowMs;
    return calls.every(counts) ? calls : calls.filter(counts);
  }

  #count(key: string, calls: Calls[], now: number): void {
    const newest = calls.at(-1);
    if (newest && now - newest.firstAt < this.#entryMs) {
      newest.count += 1;
      newest.lastAt = Math.max(newest.lastAt, now);
    } else calls.push({ firstAt: now, lastAt: now, count: 1 });
    this.#put(key, calls);
    this.#forgetQuiet(now);
  }

  #put(key: string, calls: Calls[]): void {
    this.#calls.delete(key);
    this.#calls.set(key, calls);
  }

  #forgetQuiet(now: number): void {
    for (const key of this.#calls.keys()) {
      if (this.#calls.size <= this.#keysMax && this.#current(key, now).length > 0) return;
      this.#calls.delete(key);
    }
  }

  #leavesIn(lastAt: number, now: number): number {
    return lastAt + this.#windowMs - now;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

function total(calls: readonly Calls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0);
}
