/** Those who wait for the next try of a job. */
import type { TryOutcome } from './attempts.js';

export class Outcomes {
  readonly #waiting = new Map<number, Set<(outcome?: TryOutcome) => void>>();

  /** Resolves with the next outcome told of the job; undefined: none came within `waitMs`. */
  next(id: number, waitMs: number): Promise<TryOutcome | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      const done = (outcome?: TryOutcome) => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve(outcome);
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.set(id, waiting.add(done));
    });
  }

  tell(id: number, outcome: TryOutcome): void {
    for (const done of this.#waiting.get(id) ?? []) done(outcome);
  }
}
