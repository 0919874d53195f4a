/** What must outlive a power failure, and what a restore. */
import type { RequestRow } from '../rules/facts.js';
import type { Contracts } from './contracts.js';
import type { Evidence } from './evidence.js';
import type { Told } from './scene.js';

/** What was there when a backup began. */
export interface Kept {
  promised: ReadonlyMap<number, Told>;
  signed: ReadonlySet<number>;
  received: ReadonlySet<number>;
  history: number;
  lastHistory: number;
}

const SIGNED = 'SELECT id FROM contracts WHERE signedAt IS NOT NULL';
const RECEIVED = "SELECT requestId AS id FROM history WHERE what = 'payment.received'";

export class Survival {
  readonly #of: Evidence;
  readonly #contracts: Contracts;
  readonly #promised = new Map<number, Told>();

  constructor(of: Evidence, contracts: Contracts) {
    this.#of = of;
    this.#contracts = contracts;
  }

  /** A customer has heard that this request exists. */
  promised(id: number, story: Told): number {
    this.#of.count('requests');
    this.#promised.set(id, story);
    return id;
  }

  /** What a backup that begins now must hold. */
  remember(): Kept {
    const { lastHistory } = this.#of;
    return {
      promised: new Map(this.#promised),
      signed: this.#of.ids(SIGNED),
      received: this.#of.ids(RECEIVED),
      history: this.#historyUntil(lastHistory),
      lastHistory,
    };
  }

  /** The data is that of a backup: everything in it must be there. */
  restored(kept: Kept): void {
    const { rows, expect, world } = this.#of;
    const requests = rows<RequestRow>('SELECT id, title FROM requests');
    const titles = new Map(requests.map((row) => [row.id, row.title]));
    for (const [id, { title }] of kept.promised)
      expect(titles.get(id) === title, `request ${id} (${title}) was in the backup and is gone`);
    const left = this.#historyUntil(kept.lastHistory);
    expect(left === kept.history, `of ${kept.history} entries of the history in the backup ${left} are left`);
    for (const known of [this.#promised, world.stories]) {
      for (const [id, story] of known) if (titles.get(id) !== story.title) known.delete(id);
      // An older restore may have lost them; this one brings them back.
      for (const [id, story] of kept.promised) known.set(id, story);
    }
    this.#mustHold(kept.signed, SIGNED, 'contract', 'signed');
    this.#mustHold(kept.received, RECEIVED, 'request', 'paid');
  }

  #mustHold(kept: ReadonlySet<number>, sql: string, what: string, how: string): void {
    const left = this.#of.ids(sql);
    for (const id of kept)
      this.#of.expect(left.has(id), `${what} ${id} was ${how} in the backup and is not now`);
  }

  /** Every commit and every signed PDF outlives it: returns what looks for them when the power is back. */
  powerFails(): () => void {
    // Nobody does: a restore is under way.
    if (!this.#of.isOpen) return () => undefined;
    this.#of.count('power failures');
    const before = this.#historyUntil(this.#of.lastHistory);
    const stored = this.#contracts.stored();
    this.#of.close();
    return () => {
      for (const contract of stored) this.#contracts.holdsPdf(contract);
      const after = this.#historyUntil(this.#of.lastHistory);
      this.#of.expect(
        before === after,
        `of ${before} entries of the history a power failure has left ${after}`,
      );
    };
  }

  #historyUntil(id: number): number {
    return this.#of.rows<{ n: number }>('SELECT count(*) AS n FROM history WHERE id <= ?', id)[0]?.n ?? 0;
  }

  /** When everything has come to rest, each request that was promised is there. */
  atRest(requests: readonly RequestRow[]): void {
    const byId = new Map(requests.map((request) => [request.id, request]));
    for (const [id, { title, customer }] of this.#promised) {
      const request = byId.get(id);
      this.#of.expect(request !== undefined, `request ${id} was promised and is gone`);
      this.#of.expect(
        request?.title === title && this.#of.nameOf(request.username) === customer.name,
        `request ${id} was promised as ${title} and is ${request?.title}`,
      );
    }
  }
}
