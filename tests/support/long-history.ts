/** What many changes of a customer leave behind. */
import type { Db } from '../../src/db/db.js';

const MANY = 'WITH RECURSIVE many (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM many WHERE i < ?)';
const NOW = '(SELECT max(at) FROM history)';

interface Changes {
  requestId: number;
  by: number;
}

/** As with so many more changes of a request, just now. */
export function lengthenHistory({ raw }: Db, { requestId, by }: Changes): void {
  raw
    .prepare(
      `${MANY} INSERT INTO history (at, requestId, actor, what, detail)
        SELECT ${NOW}, ?, 'user:ada@example.org', 'request.changed', '{"fields":["title"]}' FROM many`,
    )
    .run(by, requestId);
}

/** As if a subscriber had heard of each. */
export function addDeliveryJobs({ raw }: Db, { requestId, by }: Changes): void {
  raw
    .prepare(
      `${MANY} INSERT INTO jobs (kind, payload, state, attempt, runAt, requestId, createdAt, finishedAt)
        SELECT 'deliver-webhook', json_object('deliveryId', i), 'completed', 1, ${NOW}, ?, ${NOW}, ${NOW} FROM many`,
    )
    .run(by, requestId);
}
