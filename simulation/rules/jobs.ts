/** Nothing is left to be done, and no job gives up before its time. */
import { JOB_KINDS } from '../../src/core/jobs/kinds.js';
import type { Rows } from './facts.js';

const WAITS_MS = new Map<string, readonly number[]>(JOB_KINDS.map(({ name, waitsMs }) => [name, waitsMs]));

/** All zones of the world begin their half hours at a quarter of UTC's. */
const QUARTER_MS = 15 * 60_000;
const ON_TIME_MS = 20_000;

/** A scheduled check begins by its schedule, or as soon as the daemon has started. */
export function isOnTime(startedAt: string, daemonStartedAt: number): boolean {
  const at = Date.parse(startedAt);
  return at % QUARTER_MS < ON_TIME_MS || at < daemonStartedAt + ON_TIME_MS;
}

/** A person has ordered the check. */
export function isByPerson(rows: Rows, finishedAt: string): boolean {
  return rows("SELECT 1 FROM history WHERE what = 'signatures.checked' AND at = ?", finishedAt).length > 0;
}

/** When nothing goes wrong, no try takes longer. */
const TRY_MS = 60_000;

/** Due, or begun long ago: a schedule may have begun one just now. */
export function overdue(rows: Rows, now: number): string[] {
  const [at, longAgo] = [now, now - TRY_MS].map((time) => new Date(time).toISOString());
  return rows<{ id: number; kind: string; state: string; runAt: string }>(
    `SELECT id, kind, state, runAt FROM jobs
     WHERE (state = 'available' AND runAt < ?) OR (state = 'running' AND runAt < ?)`,
    at,
    longAgo,
  ).map(({ id, kind, state, runAt }) => `job ${id} (${kind}) has been ${state} since ${runAt}`);
}

/** Jobs that were there at this time, and have had no try for as long as the longest wait. */
export function waitingLong(rows: Rows, before: number): string[] {
  const sql =
    "SELECT id, kind, runAt FROM jobs WHERE state <> 'completed' AND state <> 'failed' AND createdAt < ?";
  return rows<{ id: number; kind: string; runAt: string }>(sql, new Date(before).toISOString()).map(
    ({ id, kind, runAt }) => `job ${id} (${kind}) waits until ${runAt}`,
  );
}

/** In the failed list. What is owed to a receiver that is switched off stays owed. */
export function failed(rows: Rows): string[] {
  return rows<{ id: number; kind: string; lastError: string }>(
    `SELECT id, kind, lastError FROM jobs WHERE state = 'failed' AND NOT (kind = 'deliver-webhook' AND EXISTS (
       SELECT 1 FROM deliveries d JOIN webhooks w ON w.id = d.webhookId
       WHERE d.id = payload ->> '$.deliveryId' AND w.active = 0))`,
  ).map(
    ({ id, kind, lastError }) =>
      `job ${id} (${kind}) has failed though nothing is wrong any more: ${lastError}`,
  );
}

/** A job in the failed list. */
export interface FailedJob {
  id: number;
  kind: string;
  attempt: number;
  /** JSON, of its tries. */
  errors: string;
  finishedAt: string;
}

/** It has failed for good: after all of its tries, and none of them was earlier than promised, unless somebody asked for it. */
export function gaveUpEarly(rows: Rows, job: FailedJob): string[] {
  const { id, kind, attempt } = job;
  const waits = WAITS_MS.get(kind) ?? [];
  if (attempt <= waits.length) return [`job ${id} (${kind}) has given up after ${attempt} tries`];
  const errors = JSON.parse(job.errors) as { attempt: number; at: string }[];
  return errors.slice(1).flatMap(({ attempt: next, at }, i) => {
    const before = errors[i] as (typeof errors)[number];
    const wait = waits[next - 2] ?? 0;
    const had = Date.parse(at) - Date.parse(before.at);
    const isNext = next === before.attempt + 1;
    if (!isNext || had >= wait || wasAskedFor(rows, job, before.at, at)) return [];
    return [`job ${id} (${kind}) was tried again after ${had} ms, and ${wait} ms were promised`];
  });
}

/**
 * Somebody wanted this try at once: the office, a corrected address, or a webhook about the same signature, which the provider
 * repeats until it is answered; the repeats are not kept.
 */
function wasAskedFor(rows: Rows, { id }: FailedJob, from: string, to: string): boolean {
  const sql = `SELECT 1 FROM jobs j LEFT JOIN requests r ON r.id = j.requestId WHERE j.id = ? AND (
    EXISTS (SELECT 1 FROM history h WHERE h.at BETWEEN ? AND ? AND (
      (what IN ('job.pushed', 'job.replayed') AND detail ->> '$.jobId' = j.id) OR
      (what = 'webhook.redelivered' AND j.uniqueKey = 'delivery:' || (detail ->> '$.deliveryId')) OR
      (what = 'user.changed' AND subject = 'user:' || r.ownerId)))
    OR (j.kind IN ('complete-signature', 'confirm-end') AND EXISTS (
      SELECT 1 FROM inbox WHERE contractId = j.contractId AND receivedAt <= ?)))`;
  return rows(sql, id, from, to, to).length > 0;
}
