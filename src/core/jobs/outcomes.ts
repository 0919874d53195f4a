/** Those who wait for the end of a try, each tied to the try that was under way or owed when it began to wait. */
import type { TryOutcome } from './attempts.js';

/** What one of those who waited hears. */
export interface HeardOutcome extends TryOutcome {
  /** One try has one result: true for the first of its hearers that asks for it. */
  take: () => boolean;
}

type Listener = (heard?: HeardOutcome) => void;

export class Outcomes {
  readonly #waiting = new Map<number, Set<Listener>>();

  /**
   * Resolves with the outcome of the job's next try to end; undefined: none ended within `waitMs`. Called in the unit
   * that owes the try, it never hears of one that ended before that unit, even in the same commit.
   */
  next(id: number, waitMs: number): Promise<HeardOutcome | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      const done: Listener = (heard) => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve(heard);
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.set(id, waiting.add(done));
    });
  }

  /** Those who wait for the try that ends now; asked in the unit that ends it: who comes later waits for another one. */
  listeners(id: number): Listener[] {
    return [...(this.#waiting.get(id) ?? [])];
  }

  tell(listeners: readonly Listener[], outcome: TryOutcome): void {
    let isTaken = false;
    const take = () => !isTaken && (isTaken = true);
    for (const done of listeners) done({ ...outcome, take });
  }
}
