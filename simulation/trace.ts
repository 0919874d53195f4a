/** What happened, one line each: its digest proves that a seed gives the same world, its end tells how a failure came. */
import { createHash } from 'node:crypto';
import type { Scheduler } from './machine/scheduler.js';

const KEPT = 400;

/** Found by the oracle: the service has broken a promise. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export class Trace {
  readonly #scheduler: Scheduler;
  readonly #digest = createHash('sha256');
  readonly #onLine: ((line: string) => void) | undefined;
  #lines: string[] = [];
  violation: Violation | undefined;

  constructor(scheduler: Scheduler, onLine?: (line: string) => void) {
    this.#scheduler = scheduler;
    this.#onLine = onLine;
  }

  add(words: string): void {
    const { now, steps } = this.#scheduler;
    const line = `${new Date(now).toISOString()} #${steps} ${words}`;
    this.#digest.update(line);
    this.#lines.push(line);
    if (this.#lines.length > 2 * KEPT) this.#lines = this.#lines.slice(-KEPT);
    this.#onLine?.(line);
  }

  /** The first violation counts; what follows may be its consequence. */
  broken(words: string): void {
    this.add(`BROKEN: ${words}`);
    this.violation ??= new Violation(words);
  }

  /** The last lines. */
  end(count: number): string[] {
    return this.#lines.slice(-count);
  }

  digest(): string {
    return this.#digest.copy().digest('hex');
  }
}
