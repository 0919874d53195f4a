/** Nothing is left to be done. */
import type { Rows } from './facts.js';

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
