/** The history is one story: nothing happens twice and each step begins where the last one ended. */
import type { Rows } from './facts.js';

/** Whether the data tell of a restore at this moment. */
export function wasRestored(rows: Rows, at: number): boolean {
  const moment = new Date(Math.floor(at)).toISOString();
  return rows("SELECT 1 FROM history WHERE what = 'data.restored' AND at = ?", moment).length > 0;
}

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
