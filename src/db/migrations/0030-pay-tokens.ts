/** What the lasting link to pay carries: 128 random bits, given once a request first has something to pay. */
export const sql = `
ALTER TABLE requests ADD COLUMN payToken TEXT;
UPDATE requests SET payToken = lower(hex(randomblob(16))) WHERE status = 'WAITING_PAYMENT';
CREATE UNIQUE INDEX requestsByPayToken ON requests (payToken) WHERE payToken IS NOT NULL;
`;
