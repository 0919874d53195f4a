/** What a creation with an Idempotency-Key answered, for a day; written in the transaction of the creation. */
export const sql = `
CREATE TABLE idempotencyKeys (
  userId INTEGER NOT NULL REFERENCES users (id),
  operation TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  PRIMARY KEY (userId, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotencyKeysByExpiry ON idempotencyKeys (expiresAt);
`;
