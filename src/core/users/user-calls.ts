/**
 * How many calls each user has made within the last hour (spec 8). The counts survive a restart: what is new is stored
 * every few seconds and when the service stops, never once a call. A crash loses the last seconds, in favour of the user.
 */
import { deleteUserCallsUntil, listUserCalls, putUserCalls } from '../../db/user-calls.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { SlidingWindow, type Standing } from '../sliding-window.js';

const HOUR_MS = 3_600_000;
const STORE_AFTER_MS = 5_000;

type Parts = Pick<Context, 'db' | 'writer' | 'clock' | 'log'>;

export class UserCalls {
  readonly #ctx: Parts;
  readonly #window: SlidingWindow;
  readonly #changed = new Set<number>();
  #storedUntil: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Parts, limit: number) {
    this.#ctx = ctx;
    this.#window = new SlidingWindow(ctx.clock, { limit, windowMs: HOUR_MS });
    this.#storedUntil = this.#now();
    this.#load();
  }

  /** Counts a call of this user, unless the limit is reached. */
  async take(userId: number): Promise<Standing> {
    const standing = await this.#window.take(String(userId));
    if (standing.isWithin) {
      this.#changed.add(userId);
      this.#timer ??= setTimeout(() => void this.store(), STORE_AFTER_MS).unref();
    }
    return standing;
  }

  /** Stores what is new. When that is not possible, the next time makes up for it. */
  async store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    const now = this.#now();
    const entries = changed.flatMap((userId) => this.#newOf(userId));
    try {
      await this.#ctx.writer.write((db) => {
        for (const entry of entries) putUserCalls(db, entry);
        deleteUserCallsUntil(db, hourBefore(now));
      });
      this.#storedUntil = now;
    } catch (error) {
      for (const userId of changed) this.#changed.add(userId);
      this.#ctx.log.warn({ error: describeError(error) }, 'the counts of calls could not be stored');
    }
  }

  #newOf(userId: number) {
    const calls = this.#window.callsOf(String(userId)).filter(({ lastAt }) => lastAt >= this.#storedUntil);
    return calls.map(({ firstAt, lastAt, count }) => ({
      userId,
      firstAt: iso(new Date(firstAt)),
      lastAt: iso(new Date(lastAt)),
      count,
    }));
  }

  #load(): void {
    const now = this.#now();
    // Not those of a time to come (the system's time was set back): they would lock the user out until then.
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
