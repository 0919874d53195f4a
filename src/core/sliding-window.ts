/**
 * Counts the calls of each key over the window that ends now, and refuses those above the limit.
 *
 * rate-limiter-flexible does the counting. Its own windows are fixed and follow the system's time, so its points never
 * end there; they are given back here, one window after the call, by the context's clock: a true sliding window. Calls
 * within a sixtieth of the window are kept as one entry, which leaves with the last of them: in no window do more calls
 * pass than the limit, and whoever pauses for a whole one is free. Refused calls do not count: waiting as told is enough.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from './clock.js';

const ENTRIES_PER_WINDOW = 60;
const KEYS_MAX = 10_000;

export interface SlidingWindowOptions {
  limit: number;
  windowMs: number;
  /** More are forgotten, the longest quiet first. */
  keysMax?: number;
}

/** Where a key stands after a call. */
export interface Standing {
  isWithin: boolean;
  remaining: number;
  /** Until the oldest call that counts leaves the window. */
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
  readonly #keysMax: number;
  /** Works without waiting: a point is taken when `consume` is called, so of many calls at once none slips past. */
  readonly #points: RateLimiterMemory;
  /** Oldest entry first; the key longest quiet first. */
  readonly #calls = new Map<string, Calls[]>();

  constructor(clock: Clock, { limit, windowMs, keysMax = KEYS_MAX }: SlidingWindowOptions) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#keysMax = keysMax;
    this.#points = new RateLimiterMemory({ points: limit, duration: 0 });
  }

  /** Counts a call, unless the limit is reached. */
  async take(key: string): Promise<Standing> {
    const now = this.#clock.now().getTime();
    this.#giveBack(key, now);
    this.#forgetQuiet(now);
    const standing = await this.#consume(key);
    if (standing.isWithin) this.#note(key, now);
    const oldest = this.#calls.get(key)?.[0]?.lastAt ?? now;
    return { ...standing, waitMs: Math.min(oldest + this.#windowMs - now, this.#windowMs) };
  }

  /** The calls of this key that still count. */
  callsOf(key: string): readonly Calls[] {
    return this.#calls.get(key) ?? [];
  }

  /** Adds calls counted earlier; to be called in the order of `lastAt`. */
  restore(key: string, calls: Calls): void {
    void this.#points.penalty(key, calls.count);
    this.#put(key, [...this.callsOf(key), calls]);
  }

  async #consume(key: string): Promise<Omit<Standing, 'waitMs'>> {
    try {
      const { remainingPoints } = await this.#points.consume(key);
      return { isWithin: true, remaining: remainingPoints };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      void this.#points.reward(key);
      return { isWithin: false, remaining: 0 };
    }
  }

  #note(key: string, now: number): void {
    const calls = this.#calls.get(key) ?? [];
    const newest = calls.at(-1);
    if (newest && now - newest.firstAt < this.#windowMs / ENTRIES_PER_WINDOW) {
      newest.count += 1;
      newest.lastAt = Math.max(newest.lastAt, now);
    } else calls.push({ firstAt: now, lastAt: now, count: 1 });
    this.#put(key, calls);
  }

  #put(key: string, calls: Calls[]): void {
    this.#calls.delete(key);
    this.#calls.set(key, calls);
  }

  #giveBack(key: string, now: number): void {
    const calls = this.#calls.get(key);
    while (calls?.[0] && this.#isOver(calls[0], now)) {
      const { count } = calls.shift() as Calls;
      void this.#points.reward(key, count);
    }
    if (calls?.length === 0) this.#forget(key);
  }

  #forgetQuiet(now: number): void {
    for (const [key, calls] of this.#calls) {
      const isQuiet = this.#isOver(calls.at(-1) as Calls, now);
      if (!isQuiet && this.#calls.size < this.#keysMax) return;
      this.#forget(key);
    }
  }

  #isOver({ lastAt }: Calls, now: number): boolean {
    return lastAt + this.#windowMs <= now;
  }

  #forget(key: string): void {
    this.#calls.delete(key);
    void this.#points.delete(key);
  }
}
