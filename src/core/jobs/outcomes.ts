/** Listeners for the end of an attempt: each waits for the one that was running or enqueued when it began to wait. */
import type { AttemptOutcome } from './attempts.js';

/** What a listener receives. */
export interface HeardOutcome extends AttemptOutcome {
  /** True for the first listener that asks: an attempt's result is taken once. */
  take: () => boolean;
}

type Listener = (heard?: HeardOutcome) => void;

export class Outcomes {
  readonly #waiting = new Map<number, Set<Listener>>();

  /**
   * Resolves with the outcome of the job's next attempt to end; undefined when none ends within `waitMs`. Called in
   * the unit that enqueues the job, it never receives the outcome of an attempt that ended before that unit, even in the same
   * commit.
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

  /** The listeners of the attempt that ends now. Called in the unit that ends it, so later ones wait for the next. */
  listeners(id: number): Listener[] {
    return [...(this.#waiting.get(id) ?? [])];
  }

  tell(listeners: readonly Listener[], outcome: AttemptOutcome): void {
    let isTaken = false;
    const take = () => !isTaken && (isTaken = true);
    for (const done of listeners) done({ ...outcome, take });
  }
}
