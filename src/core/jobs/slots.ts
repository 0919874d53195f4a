/** How many jobs of a kind run at once: a slow mail server or a hanging receiver never takes the place of a payment. */
import type { JobKind } from '../../db/schema.js';
import { JOB_KINDS } from './kinds.js';

export const SLOTS: Readonly<Record<JobKind, number>> = {
  'create-payment-session': 8,
  'complete-signature': 32,
  'send-mail': 8,
  'deliver-webhook': 64,
};

export class Slots {
  readonly #free: Record<JobKind, number>;

  constructor(changes: Partial<Record<JobKind, number>> = {}) {
    this.#free = { ...SLOTS, ...changes };
  }

  free(kind: JobKind): number {
    return this.#free[kind];
  }

  take(kind: JobKind): void {
    this.#free[kind] -= 1;
  }

  release(kind: JobKind): void {
    this.#free[kind] += 1;
  }

  /** Kinds of which another job could run now. */
  open(): JobKind[] {
    return JOB_KINDS.filter((kind) => this.#free[kind] > 0);
  }
}
