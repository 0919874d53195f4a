/** Nothing is left to be done. */
import type { Rows } from './facts.js';

/** Due or begun. */
export function overdue(rows: Rows, now: number): string[] {
  return rows<{ id: number; kind: string; state: string; runAt: string }>(
    "SELECT id, kind, state, runAt FROM jobs WHERE state = 'running' OR (state = 'available' AND runAt < ?)",
    new Date(now).toISOString(),
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
