/** What a scheduled check must have asked about, and when it begins. */
import type { Rows } from './facts.js';

export type Check = 'reconcile' | 'payments';

/** Something that can be signed or paid: its name here, and its id at the provider. */
export interface Waiting {
  name: string;
  there: string;
}

const WAITING: Readonly<Record<Check, string>> = {
  reconcile: `SELECT 'contract ' || c.id AS name, c.signId AS there FROM contracts c JOIN requests r ON r.id = c.requestId
    WHERE r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signId IS NOT NULL AND c.activationAskedAt < ? ORDER BY c.id`,
  payments: `SELECT 'request ' || r.id AS name, p.paymentId AS there FROM payments p JOIN contracts c ON c.id = p.contractId
    JOIN requests r ON r.id = c.requestId WHERE r.status = 'WAITING_PAYMENT' AND p.state = 'open' AND p.createdAt < ? ORDER BY p.id`,
};

/** Since before this moment. */
export function waitingSince(rows: Rows, check: Check, before: string): Waiting[] {
  return rows<Waiting>(WAITING[check], before);
}

/** A check that ended: at most so many of its calls failed. Undefined: it did not get as far as all. */
export function failuresIn(error: string): number | undefined {
  const [, several, one] = /^(?:(\d+) failed, first |(request \d+): )/.exec(error) ?? [];
  return one ? 1 : several === undefined ? undefined : Number(several);
}

/** All zones of the world begin their half hours at a quarter of UTC's. */
const QUARTER_MS = 15 * 60_000;
const ON_TIME_MS = 20_000;

/** By its schedule, or as soon as the daemon has started. */
export function isOnTime(startedAt: string, daemonStartedAt: number): boolean {
  const at = Date.parse(startedAt);
  return at % QUARTER_MS < ON_TIME_MS || at < daemonStartedAt + ON_TIME_MS;
}

/** A person has ordered it. */
export function isByPerson(rows: Rows, finishedAt: string): boolean {
  return rows("SELECT 1 FROM history WHERE what = 'signatures.checked' AND at = ?", finishedAt).length > 0;
}
