/**
 * Outbound webhooks: each event is told once to each who listens, what counts as delivered has arrived, and what was
 * delivered by its first try has arrived in order, whatever became of the others.
 */
import type { Rows } from './facts.js';

interface Delivery {
  messageId: string;
  state: string;
  webhookId: number;
  /** In the log of the delivery, and as its job counts them: also those that were cut short. */
  tries: number;
  begun: number;
}

export interface Inbound {
  url: string;
  received: readonly { id: string; isTaken: boolean }[];
}

export function misdelivered(rows: Rows, { url, received }: Inbound): string[] {
  const taken = new Set(received.flatMap(({ id, isTaken }) => (isTaken ? [id] : [])));
  const all = rows<Delivery>(
    `SELECT d.messageId, d.state, d.webhookId, (SELECT count(*) FROM deliveryAttempts a WHERE a.deliveryId = d.id) AS tries,
       (SELECT attempt FROM jobs WHERE uniqueKey = 'delivery:' || d.id) AS begun
     FROM deliveries d JOIN webhooks w ON w.id = d.webhookId WHERE w.url = ? ORDER BY d.id`,
    url,
  );
  const wrong = all
    .filter(({ messageId, state }) => state === 'delivered' && !taken.has(messageId))
    .map(({ messageId }) => `${messageId} counts as delivered and never arrived at ${url}`);
  wrong.push(...stillTold(rows, url));
  // After a failure, later ones go first.
  const first = all.filter(({ tries, begun, state }) => tries === 1 && begun === 1 && state === 'delivered');
  for (const webhookId of new Set(first.map((each) => each.webhookId))) {
    const ids = first.filter((each) => each.webhookId === webhookId).map(({ messageId }) => messageId);
    // A restore may have had any of them sent again.
    let next = 0;
    for (const { id } of received) if (id === ids[next]) next += 1;
    if (next < ids.length) wrong.push(`${url} got the deliveries of webhook ${webhookId} out of order`);
  }
  return wrong;
}

/** After 410, until a person switches it on again. */
function stillTold(rows: Rows, url: string): string[] {
  return rows<{ event: string }>(
    `SELECT event FROM webhooks w WHERE url = ? AND EXISTS
       (SELECT 1 FROM deliveryAttempts a JOIN deliveries d ON d.id = a.deliveryId
        WHERE d.webhookId = w.id AND a.status = 410)
     AND NOT EXISTS
       (SELECT 1 FROM history WHERE what = 'webhook.disabled' AND detail ->> '$.webhookId' = w.id)`,
    url,
  ).map(({ event }) => `${url} answered 410 and was still told of ${event}`);
}

/** Whether this is the id of one of our deliveries to this receiver. */
export function isOurs(rows: Rows, url: string, messageId: string): boolean {
  const sql =
    'SELECT 1 FROM deliveries d JOIN webhooks w ON w.id = d.webhookId WHERE d.messageId = ? AND w.url = ?';
  return rows(sql, messageId, url).length > 0;
}

/** When no call takes long. */
const AT_ONCE_MS = 8_000;

/** The first try of a delivery that was made after all had been well for a while: no other receiver holds it up. */
export function heldUp(
  rows: Rows,
  messageId: string,
  { now, wellSince }: { now: number; wellSince: number },
) {
  return rows<{ createdAt: string; url: string }>(
    `SELECT d.createdAt, w.url FROM deliveries d JOIN webhooks w ON w.id = d.webhookId
     JOIN jobs j ON j.uniqueKey = 'delivery:' || d.id AND j.attempt = 1 WHERE d.messageId = ?`,
    messageId,
  ).flatMap(({ createdAt, url }) => {
    const made = Date.parse(createdAt);
    const isLate = made > wellSince && now - made > AT_ONCE_MS;
    return isLate ? [`${url} was told after ${now - made} ms, although it answers at once`] : [];
  });
}

/**
 * An event is one delivery to each webhook, made in the same second as the event. Several changes of one request may fall
 * into one millisecond; each is in the history.
 */
export function toldTwice(rows: Rows): string[] {
  return rows<{ webhookId: number; content: string }>(
    `SELECT webhookId, content FROM deliveries d WHERE requestId IS NOT NULL GROUP BY webhookId, content, createdAt
     HAVING substr(createdAt, 1, 19) <> substr(content ->> '$.timestamp', 1, 19)
       OR (count(*) > 1 AND count(*) > (SELECT count(*) FROM history WHERE requestId = d.requestId AND at = d.createdAt))`,
  ).map(({ webhookId, content }) => `webhook ${webhookId} was told twice of ${content}`);
}

/** Completed deliveries are kept for 30 days; one day less, so that none of these has been removed. */
const KEPT_MS = 29 * 86_400_000;

/** What a webhook was not told of, although it was listening all the time. */
export function untold(rows: Rows, now: number): string[] {
  return rows<{ url: string; requestId: number; what: string; at: string }>(
    `WITH told(what, event) AS (VALUES ('request.created', 'request.created'), ('request.moved', 'request.updated'),
       ('payment.session_created', 'request.updated'), ('offer.created', 'offer.created'), ('troubleshooting.changed', 'troubleshooting.updated'))
     SELECT w.url, h.requestId, h.what, h.at FROM history h
     JOIN told t ON t.what = h.what
     JOIN requests r ON r.id = h.requestId
     JOIN webhooks w ON w.event = t.event AND w.active = 1 AND w.createdAt < h.at
     JOIN users u ON u.id = w.ownerId AND (u.role = 'ROLE_ADMIN' OR u.id = r.ownerId)
     WHERE h.at > ?
       AND NOT EXISTS (SELECT 1 FROM history WHERE what = 'webhook.disabled' AND detail ->> '$.webhookId' = w.id)
       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.webhookId = w.id AND d.requestId = h.requestId
         AND d.event = w.event AND d.createdAt = h.at)`,
    new Date(now - KEPT_MS).toISOString(),
  ).map(({ url, requestId, what, at }) => `${url} was not told of request ${requestId}: ${what} at ${at}`);
}
