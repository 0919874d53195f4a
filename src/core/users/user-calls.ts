/**
 * Each user's calls within the last hour (rules 11). They survive a restart: new counts are stored every few seconds
 * and on shutdown, not on each call. A crash loses a few seconds, in the user's favour.
 */
import { deleteUserCallsUntil, listUserCalls, putUserCalls } from '../../db/users/log-ins.js';
import { iso, HOUR_MS } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { SlidingWindow, type Quota } from '../calls/sliding-window.js';
const STORE_AFTER_MS = 5_000;

type Parts = Pick<Context, 'db' | 'writer' | 'clock' | 'log'>;

export class UserCalls {
  readonly #ctx: Parts;
  readonly #limit: number;
  readonly #window: SlidingWindow;
  #storedUntil: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Parts, limit: number) {
    this.#ctx = ctx;
    this.#limit = limit;
    this.#window = new SlidingWindow(ctx.clock, { windowMs: HOUR_MS });
    this.#storedUntil = this.#now();
    this.#load();
  }

  isFull(userId: number): boolean {
    return this.#window.isFull(String(userId), this.#limit);
  }

  /** Counts a call of this user, unless the limit is reached. */
  take(userId: number): Quota {
    const quota = this.#window.take(String(userId), this.#limit);
    if (quota.isWithin) this.#timer ??= setTimeout(() => void this.store(), STORE_AFTER_MS).unref();
    return quota;
  }

  /** Stores new counts; a failure is made up for the next time. */
  async store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#now();
    const entries = this.#window.callsSince(this.#storedUntil);
    if (entries.length === 0) return;
    try {
      await this.#ctx.writer.write((db) => {
        for (const { key, firstAt, lastAt, count } of entries) {
          const times = { firstAt: iso(new Date(firstAt)), lastAt: iso(new Date(lastAt)) };
          putUserCalls(db, { userId: Number(key), ...times, count });
        }
        deleteUserCallsUntil(db, { until: hourBefore(now) });
      });
      this.#storedUntil = now;
    } catch (error) {
      this.#ctx.log.warn({ error: describeError(error) }, 'the counts of calls could not be stored');
    }
  }

  #load(): void {
    const now = this.#now();
    // Skip future times, left by a clock that was set back: they would lock the user out until then.
    const rows = listUserCalls(this.#ctx.db, { after: hourBefore(now), until: iso(new Date(now)) });
    for (const { userId, firstAt, lastAt, count } of rows) {
      const calls = { firstAt: Date.parse(firstAt), lastAt: Date.parse(lastAt), count };
      this.#window.restore(String(userId), calls);
    }
  }

  #now(): number {
    return this.#ctx.clock.now().getTime();
  }
}

function hourBefore(now: number): string {
  return iso(new Date(now - HOUR_MS));
}
