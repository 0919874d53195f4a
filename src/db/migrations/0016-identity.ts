/**
 * Who we are at the providers: one random id for this installation, one random key for each contract. Row ids come back
 * after a restore, and other installations on the same account have the same ones.
 *
 * Contracts from before keep the names under which the providers know them, or may know them.
 */
export const sql = `
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL CHECK (length(id) = 16),
  createdAt TEXT NOT NULL
) STRICT;
INSERT INTO installation (one, id, createdAt)
  VALUES (1, lower(hex(randomblob(8))), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

ALTER TABLE contracts ADD COLUMN key TEXT CHECK (length(key) = 16);
ALTER TABLE contracts ADD COLUMN externalId TEXT;
ALTER TABLE contracts ADD COLUMN paymentKey TEXT;
ALTER TABLE contracts ADD COLUMN signerEmail TEXT;
UPDATE contracts SET
  key = lower(hex(randomblob(8))),
  externalId = 'contract-' || id,
  paymentKey = 'payment-' || id || '-' || paymentGeneration;
CREATE UNIQUE INDEX contractByKey ON contracts (key);
CREATE UNIQUE INDEX contractByExternalId ON contracts (externalId);
`;
