/** What never arrived is looked for by itself: of one subscription, and of all. */
export const sql = `
CREATE INDEX deliveriesFailed ON deliveries (id) WHERE state = 'failed';
CREATE INDEX deliveriesFailedByWebhook ON deliveries (webhookId, id) WHERE state = 'failed';
`;
