/** Outbound webhooks: what counts as delivered has arrived, and in order as long as nothing failed. */
import type { Rows } from './facts.js';

interface Delivery {
  messageId: string;
  state: string;
  webhookId: number;
  tries: number;
}

export interface Inbound {
  host: string;
  received: readonly { id: string; isTaken: boolean }[];
}

export function misdelivered(rows: Rows, { host, received }: Inbound): string[] {
  const url = `https://${host}/esign`;
  const taken = new Set(received.flatMap(({ id, isTaken }) => (isTaken ? [id] : [])));
  const all = rows<Delivery>(
    `SELECT d.messageId, d.state, d.webhookId, (SELECT count(*) FROM deliveryAttempts a WHERE a.deliveryId = d.id) AS tries
     FROM deliveries d JOIN webhooks w ON w.id = d.webhookId WHERE w.url = ? ORDER BY d.id`,
    url,
  );
  const wrong = all
    .filter(({ messageId, state }) => state === 'delivered' && !taken.has(messageId))
    .map(({ messageId }) => `${messageId} counts as delivered and never arrived at ${host}`);
  wrong.push(...stillTold(rows, host, url));
  if (!all.every(({ tries, state }) => tries === 1 && state === 'delivered')) return wrong;
  for (const webhookId of new Set(all.map((each) => each.webhookId))) {
    const ids = all.filter((each) => each.webhookId === webhookId).map(({ messageId }) => messageId);
    const came = [...new Set(received.map(({ id }) => id))].filter((id) => ids.includes(id));
    if (came.join() !== ids.join())
      wrong.push(`${host} got the deliveries of webhook ${webhookId} out of order`);
  }
  return wrong;
}

/** After 410, until a person switches it on again. */
function stillTold(rows: Rows, host: string, url: string): string[] {
  return rows<{ event: string }>(
    `SELECT event FROM webhooks w WHERE url = ? AND EXISTS
       (SELECT 1 FROM deliveryAttempts a JOIN deliveries d ON d.id = a.deliveryId
        WHERE d.webhookId = w.id AND a.status = 410)
     AND NOT EXISTS
       (SELECT 1 FROM history WHERE what = 'webhook.disabled' AND detail ->> '$.webhookId' = w.id)`,
    url,
  ).map(({ event }) => `${host} answered 410 and was still told of ${event}`);
}
