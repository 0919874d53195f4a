/**
 * Watches the scheduled checks. One that is recorded as good has heard about everything that waited when it began, and has closed every page
 * that was left open; one that failed has heard about all but what failed. The check of signatures begins on time, whatever else hangs.
 */
import { failuresIn, isByPerson, isOnTime, waitingSince, type Check } from '../rules/rounds.js';
import { leftOpen } from '../rules/payments.js';
import { unheard } from '../rules/standing.js';
import type { Evidence } from './evidence.js';

interface Good {
  id: number;
  name: Check;
  startedAt: string;
  finishedAt: string;
}

interface Failing {
  name: Check;
  lastAt: string;
  error: string;
}

const ABOUT = { reconcile: /^contract/, payments: /^request/ } as const;
/** The longest that a check may take. */
const BUDGET_MS = 600_000;

export class Runs {
  readonly #of: Evidence;
  /** What is settled at a provider and not here, and pages that are left open there; and since when we have seen that. */
  #since = new Map<string, number>();
  #last = 0;
  /** By id at a provider, when an answer was last about it. */
  readonly #told = new Map<string, number>();
  /** By check, when it failed last. */
  readonly #failed = new Map<Check, string>();

  constructor(of: Evidence) {
    this.#of = of;
    const { network, office, scheduler } = of.world;
    const own = new WeakSet<object>();
    network.watch({
      begun: (call, caller) => {
        if (caller.machine === office.machine) own.add(call);
        return () => undefined;
      },
      answered: (call, { status, body }) => {
        if (!own.has(call) || status !== 200 || !/\/\/providers\.sim\/v\d\/\w+\/?\w*/.test(call.url)) return;
        for (const [, id = ''] of body.toString().matchAll(/"id":"([\w-]+)"/g))
          this.#told.set(id, scheduler.now);
      },
    });
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
    const failing = rows<Failing>("SELECT * FROM failingRuns WHERE name IN ('reconcile', 'payments')");
    const failed = failing.filter(({ name, lastAt }) => this.#failed.get(name) !== lastAt);
    for (const { name, lastAt } of failed) this.#failed.set(name, lastAt);
    if (world.clockSetAt !== -Infinity) return;
    for (const run of good) this.#wasWhole(run);
    for (const run of failed) this.#wasWholeBut(run);
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#since.clear();
    this.#last = this.#of.rows<{ id: number | null }>('SELECT max(id) AS id FROM runs')[0]?.id ?? 0;
  }

  #wasWhole({ name, startedAt, finishedAt }: Good): void {
    const { rows, expect, broken, counts, world } = this.#of;
    const counted = `the run ${name} of ${startedAt} counts as good, and`;
    for (const [what, since] of this.#since)
      if (ABOUT[name].test(what) && since < Date.parse(startedAt) && !this.#isForeign(what))
        broken(`${counted} ${what}`);
    // A takeover has read the list before.
    if (name === 'reconcile' && isByPerson(rows, finishedAt)) return;
    for (const what of this.#untold(name, startedAt)) broken(`${counted} nobody has asked about ${what}`);
    // A restored installation is held, and begins when it is let go.
    if (name !== 'reconcile' || counts['restores']) return;
    expect(
      isOnTime(startedAt, world.office.startedAt),
      `the run ${name} began at ${startedAt}, which is not its time`,
    );
  }

  #wasWholeBut({ name, lastAt, error }: Failing): void {
    const failures = failuresIn(error);
    if (failures === undefined) return;
    const untold = this.#untold(name, new Date(Date.parse(lastAt) - BUDGET_MS).toISOString());
    this.#of.expect(
      untold.length <= failures,
      `the run ${name} that ended at ${lastAt} did not break off, and nobody has asked about ${untold.join()}: ${error}`,
    );
  }

  /** Waiting since before this moment, and no answer has been about them since. */
  #untold(name: Check, since: string): string[] {
    return waitingSince(this.#of.rows, name, since)
      .filter(({ there }) => (this.#told.get(there) ?? -Infinity) < Date.parse(since))
      .map((each) => each.name);
  }

  /** The office knows that it may be somebody else's. */
  #isForeign(what: string): boolean {
    const sql = "SELECT 1 FROM history WHERE what = 'contract.foreign_signature' AND contractId = ?";
    return this.#of.rows(sql, Number(/\d+/.exec(what)?.[0])).length > 0;
  }
}
