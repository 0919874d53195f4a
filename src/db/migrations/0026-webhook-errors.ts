/** What went wrong last with a subscription, and which request a delivery is about. */
export const sql = `
ALTER TABLE webhooks ADD COLUMN lastError TEXT;
ALTER TABLE webhooks ADD COLUMN lastErrorAt TEXT;
UPDATE webhooks SET (lastError, lastErrorAt) = (
  SELECT outcome, at FROM deliveries JOIN deliveryAttempts ON deliveryId = deliveries.id
  WHERE webhookId = webhooks.id AND deliveries.state = 'failed' AND outcome NOT IN ('delivered', 'webhook_disabled')
  ORDER BY deliveries.id DESC, deliveryAttempts.id DESC LIMIT 1);

ALTER TABLE deliveries ADD COLUMN requestId INTEGER;
UPDATE deliveries SET requestId = content ->> '$.data.id'
  WHERE event = 'request.created' OR event = 'request.updated';
CREATE INDEX deliveriesByRequest ON deliveries (requestId, id) WHERE requestId IS NOT NULL;
`;
