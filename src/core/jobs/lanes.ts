/**
 * Jobs in lanes: those of one lane are done one after the other, those of different lanes beside each other. Lanes whose
 * last job took long have half of the slots at most, so that any number of receivers that hang leaves the other half to
 * those that answer.
 */
import type { Db } from '../../db/db.js';
import { claimInLanes, setLaneSpeed } from '../../db/claims.js';
import { type FirstDueTimes } from '../../db/waiting-jobs.js';
import { type Lease } from '../../db/claims.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import { earliest } from './due.js';

export const KIND_IN_LANES = 'deliver-webhook' satisfies JobKind;

const SLOW_MS = 1_000;

export class Lanes {
  readonly #slowMax: number;
  /** Running jobs of slow lanes. */
  readonly #slow = new Set<number>();

  constructor(slots: number) {
    this.#slowMax = Math.max(1, Math.floor(slots / 2));
  }

  /** When the next job is due that could be taken now; undefined: none waits. */
  nextDueAt({ quickLane, slowLane }: FirstDueTimes): string | undefined {
    return earliest([quickLane, this.#slowFree() > 0 ? slowLane : null]);
  }

  /** Takes due jobs, one a lane, `limit` at most. */
  claim(db: Db, { limit, ...claim }: Lease & { now: string; limit: number }): JobRow[] {
    const quick = claimInLanes(db, { ...claim, isSlow: 0, limit });
    const left = Math.min(limit - quick.length, this.#slowFree());
    const slow = left > 0 ? claimInLanes(db, { ...claim, isSlow: 1, limit: left }) : [];
    for (const { id } of slow) this.#slow.add(id);
    return [...quick, ...slow];
  }

  /** Takes note of how long a job took; in the transaction that settles it. */
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
