/**
 * Jobs in lanes (ADR 8): those of one lane run one after the other, lanes run in parallel. Slow lanes, whose last job
 * took long, get at most half of the slots, so that hanging receivers leave the other half to those that answer.
 */
import type { Db } from '../../db/db.js';
import { claimInLanes, setLaneSpeed, type Lease } from '../../db/jobs/claims.js';
import { type FirstDueTimes } from '../../db/jobs/waiting.js';
import type { JobRow } from '../../db/schema.js';
import { earliest } from './due.js';
import { JOB_KINDS } from './kinds.js';

const SLOW_MS = 1_000;

export class Lanes {
  readonly #slowMax: number;
  readonly #slow = new Set<number>();

  constructor(slots: number) {
    this.#slowMax = Math.max(1, Math.floor(slots / 2));
  }

  nextDueAt({ quickLane, slowLane }: Pick<FirstDueTimes, 'quickLane' | 'slowLane'>): string | undefined {
    return earliest([quickLane, this.#slowFree() > 0 ? slowLane : null]);
  }

  claim(db: Db, { limit, ...claim }: Lease & { now: string; limit: number }): JobRow[] {
    const quick = claimInLanes(db, { ...claim, isSlow: 0, limit });
    const left = Math.min(limit - quick.length, this.#slowFree());
    const slow = claimInLanes(db, { ...claim, isSlow: 1, limit: left });
    // A claim that is undone takes no place.
    db.afterCommit.push(() => slow.forEach(({ id }) => this.#slow.add(id)));
    return [...quick, ...slow];
  }

  /** Records how long a job took, in the transaction that settles it. */
  settle(db: Db, { lane }: JobRow, ms: number): void {
    if (lane !== null) setLaneSpeed(db, { name: lane, isSlow: ms > SLOW_MS ? 1 : 0 });
  }

  end({ id }: JobRow): void {
    this.#slow.delete(id);
  }

  #slowFree(): number {
    return this.#slowMax - this.#slow.size;
  }
}

export class Slots {
  readonly #free: Map<string, number>;
  readonly #reserved = new Map<string, number>();

  constructor(changes: Readonly<Record<string, number>> = {}) {
    this.#free = new Map(JOB_KINDS.map(({ name, slots }) => [name, changes[name] ?? slots]));
  }

  free(kind: string): number {
    return of(this.#free, kind) - of(this.#reserved, kind);
  }

  /** For jobs that the commit of this turn claims: other units of work in that commit must not count on the same slots. */
  reserve(kind: string, jobs: number): void {
    // Whoever has claimed one takes the slot right after the commit. What is still reserved after that was rolled back.
    if (this.#reserved.size === 0) setImmediate(() => this.#reserved.clear());
    this.#reserved.set(kind, of(this.#reserved, kind) + jobs);
  }

  take(kind: string): void {
    const reserved = of(this.#reserved, kind);
    if (reserved > 0) this.#reserved.set(kind, reserved - 1);
    this.#free.set(kind, of(this.#free, kind) - 1);
  }

  release(kind: string): void {
    this.#free.set(kind, of(this.#free, kind) + 1);
  }
}

function of(numbers: ReadonlyMap<string, number>, kind: string): number {
  return numbers.get(kind) ?? 0;
}
