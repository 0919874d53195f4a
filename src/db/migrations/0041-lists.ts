/** Lists of the back office by state and by age: none of them reads a whole table. */
export const sql = `
-- In every state by the time since when, not only in those that wait for the customer.
DROP INDEX requestsWaiting;
CREATE INDEX requestsByStatusSince ON requests (status, statusSince, id, dueAt);

CREATE INDEX inboxBySourceAndState ON inbox (source, state, id);
CREATE INDEX deliveriesPending ON deliveries (id) WHERE state = 'pending';
`;
