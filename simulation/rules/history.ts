/** The history is one story: nothing happens twice, each step begins where the last one ended, and what the providers told is dealt with once. */
import type { Rows } from './facts.js';

interface Step {
  requestId: number;
  status: string;
  from: string;
  to: string;
  before: string;
  isLast: number;
}

/** A request's moves form a chain, and its status is where the last one led. */
export function movedWrongly(rows: Rows): string[] {
  const steps = rows<Step>(
    `SELECT h.requestId, r.status, h.detail ->> '$.from' AS "from", h.detail ->> '$.to' AS "to",
       lag(h.detail ->> '$.to', 1, 'new') OVER story AS before, lead(h.id) OVER story IS NULL AS isLast
     FROM history h JOIN requests r ON r.id = h.requestId WHERE h.what = 'request.moved'
     WINDOW story AS (PARTITION BY h.requestId ORDER BY h.id)`,
  );
  return steps.flatMap(({ requestId, status, from, to, before, isLast }) => [
    ...(from === before ? [] : [`request ${requestId} was ${before} and moved from ${from} to ${to}`]),
    ...(isLast === 0 || to === status ? [] : [`request ${requestId} moved to ${to} and is ${status}`]),
  ]);
}

/** A contract is signed once, and may end again after a late signature; a request is paid once. */
export function happenedTwice(rows: Rows, requestId?: number): string[] {
  const sql = `SELECT requestId, contractId, what, count(*) AS times FROM history h
    WHERE what IN ('contract.signed', 'contract.ended', 'payment.received')
      ${requestId === undefined ? '' : 'AND requestId = ?'}
    GROUP BY requestId, iif(what = 'payment.received', NULL, contractId), what
    HAVING times > 1 + (what = 'contract.ended' AND EXISTS (
      SELECT 1 FROM history WHERE contractId = h.contractId AND what = 'contract.signed'))`;
  const given = requestId === undefined ? [] : [requestId];
  return rows<{ requestId: number; contractId: number; what: string; times: number }>(sql, ...given).map(
    (row) => `request ${row.requestId}, contract ${row.contractId}: ${row.what} ${row.times} times`,
  );
}

export type Side = 'signature' | 'payment';

/** An event that was answered as a success is on disk. */
export function isOnDisk(rows: Rows, side: Side, eventId: string): boolean {
  return rows('SELECT 1 FROM inbox WHERE source = ? AND eventKey = ?', side, eventId).length > 0;
}

export function stillOpen(rows: Rows): string[] {
  const open = rows("SELECT 1 FROM inbox WHERE state = 'received'").length;
  return open === 0 ? [] : [`${open} events of the inbox are still open`];
}

/** Each payment that the history has from a webhook has an event in the inbox, and vice versa. */
export function paidByEvents(rows: Rows): string[] {
  const ids = (sql: string) =>
    rows<{ contractId: number }>(`${sql} ORDER BY contractId`)
      .map(({ contractId }) => contractId)
      .join();
  const told = ids("SELECT contractId FROM inbox WHERE source = 'payment' AND outcome = 'paid'");
  const got = ids("SELECT contractId FROM history WHERE what = 'payment.received' AND actor = 'webhook'");
  return told === got
    ? []
    : [`paid by webhook: contracts ${told} according to the events, ${got} according to the history`];
}
