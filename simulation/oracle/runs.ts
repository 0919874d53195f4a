/** Watches the scheduled checks: one that is recorded as good has heard about everything that was settled or left open when it began; and each begins on time. */
import { leftOpen } from '../rules/payments.js';
import { isByPerson, isOnTime } from '../rules/jobs.js';
import { unheard } from '../rules/standing.js';
import type { Evidence } from './evidence.js';

interface Good {
  id: number;
  name: keyof typeof ABOUT;
  startedAt: string;
  finishedAt: string;
}

const ABOUT = { reconcile: /^contract/, payments: /^request/ } as const;

export class Runs {
  readonly #of: Evidence;
  /** What is settled at a provider and not here, and pages that are left open there; and since when we have seen that. */
  #since = new Map<string, number>();
  #last = 0;

  constructor(of: Evidence) {
    this.#of = of;
  }

  /** After each commit. */
  committed(): void {
    const { rows, outside, world } = this.#of;
    const before = this.#since;
    const unchecked = [...unheard(rows, outside), ...leftOpen(rows, outside)];
    this.#since = new Map(unchecked.map((what) => [what, before.get(what) ?? world.scheduler.now]));
    const good = rows<Good>(
      "SELECT * FROM runs WHERE id > ? AND name IN ('reconcile', 'payments') ORDER BY id",
      this.#last,
    );
    this.#last = good.at(-1)?.id ?? this.#last;
    if (world.clockSetAt === -Infinity) for (const run of good) this.#wasWhole(run);
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#since.clear();
    this.#last = this.#of.rows<{ id: number | null }>('SELECT max(id) AS id FROM runs')[0]?.id ?? 0;
  }

  #wasWhole({ name, startedAt, finishedAt }: Good): void {
    const { rows, expect, broken, counts, world } = this.#of;
    for (const [what, since] of this.#since)
      if (ABOUT[name].test(what) && since < Date.parse(startedAt) && !this.#isForeign(what))
        broken(`the run ${name} of ${startedAt} counts as good, and ${what}`);
    // A restored installation is held, and begins when it is let go.
    if (name !== 'reconcile' || counts['restores'] || isByPerson(rows, finishedAt)) return;
    expect(
      isOnTime(startedAt, world.office.startedAt),
      `the run ${name} began at ${startedAt}, which is not its time`,
    );
  }

  /** The office knows that it may be somebody else's. */
  #isForeign(what: string): boolean {
    const sql = "SELECT 1 FROM history WHERE what = 'contract.foreign_signature' AND contractId = ?";
    return this.#of.rows(sql, Number(/\d+/.exec(what)?.[0])).length > 0;
  }
}
