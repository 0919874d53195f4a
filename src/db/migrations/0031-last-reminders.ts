/** When the customer is next reminded to pay; null: never again. Requests from before are reminded only by hand. */
export const sql = `
ALTER TABLE requests ADD COLUMN remindAt TEXT;
CREATE INDEX requestsRemindAt ON requests (remindAt, id) WHERE remindAt IS NOT NULL;
`;
