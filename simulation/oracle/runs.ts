/** Watches the scheduled checks: one that is recorded as good has asked about everything that had been settled when it began. */
import { unheard } from '../rules/standing.js';
import type { Evidence } from './evidence.js';

interface Good {
  id: number;
  name: 'reconcile' | 'payments';
  startedAt: string;
}

const ABOUT = { reconcile: /^contract/, payments: /^request/ } as const;

export class Runs {
  readonly #of: Evidence;
  /** What is settled at a provider and not here, and since when we have seen that. */
  #since = new Map<string, number>();
  #last = 0;

  constructor(of: Evidence) {
    this.#of = of;
  }

  /** After each commit. */
  committed(): void {
    const { rows, outside, world } = this.#of;
    const before = this.#since;
    this.#since = new Map(
      unheard(rows, outside).map((what) => [what, before.get(what) ?? world.scheduler.now]),
    );
    const good = rows<Good>(
      "SELECT id, name, startedAt FROM runs WHERE id > ? AND name IN ('reconcile', 'payments') ORDER BY id",
      this.#last,
    );
    this.#last = good.at(-1)?.id ?? this.#last;
    if (this.#since.size > 0 && world.clockSetAt === -Infinity) for (const run of good) this.#wasWhole(run);
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#since.clear();
    this.#last = this.#of.rows<{ id: number | null }>('SELECT max(id) AS id FROM runs')[0]?.id ?? 0;
  }

  #wasWhole({ name, startedAt }: Good): void {
    for (const [what, since] of this.#since)
      if (ABOUT[name].test(what) && since < Date.parse(startedAt) && !this.#isForeign(what))
        this.#of.broken(`the run ${name} of ${startedAt} counts as good, and ${what}`);
  }

  /** The office knows that it may be somebody else's. */
  #isForeign(what: string): boolean {
    const sql = "SELECT 1 FROM history WHERE what = 'contract.foreign_signature' AND contractId = ?";
    return this.#of.rows(sql, Number(/\d+/.exec(what)?.[0])).length > 0;
  }
}
