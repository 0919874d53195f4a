/** Counts failures per key over the last minute, in bounded memory; for slowing down those who guess. */
import type { Clock } from './clock.js';

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

export class FailureWindow {
  readonly #clock: Clock;
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(key: string): void {
    const times = [...this.#recent(key), this.#clock.now().getTime()];
    // Put at the end, so that the key dropped when memory is full is the one longest quiet.
    this.#times.delete(key);
    this.#times.set(key, times);
    if (this.#times.size > KEYS_MAX) this.#times.delete(this.#times.keys().next().value as string);
  }

  /** Milliseconds until fewer than `max` failures lie within the window; 0 when that is so now. */
  waitMs(key: string, max: number): number {
    const times = this.#recent(key);
    const oldest = times.at(-max);
    return oldest === undefined ? 0 : oldest + WINDOW_MS - this.#clock.now().getTime();
  }

  clear(key: string): void {
    this.#times.delete(key);
  }

  #recent(key: string): number[] {
    const now = this.#clock.now().getTime();
    // Times to come were left by a clock that has been set back since; they must lock nobody out.
    return (this.#times.get(key) ?? []).filter((time) => time > now - WINDOW_MS && time <= now);
  }
}
