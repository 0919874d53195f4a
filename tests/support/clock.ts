/** A clock that stands still until a test moves it. */
export class ManualClock {
  #now: number;

  constructor(start = '2026-03-02T09:14:07.250Z') {
    this.#now = Date.parse(start);
  }

  now = (): Date => new Date(this.#now);

  advance(ms: number): void {
    this.#now += ms;
  }

  set(time: string): void {
    this.#now = Date.parse(time);
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
