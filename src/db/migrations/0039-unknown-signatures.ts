/**
 * Documents of this installation at the signature provider that are unknown here, as the bulk check found them last, so that
 * what needs the office can be listed without asking the provider.
 */
export const sql = `
CREATE TABLE unknownSignatures (
  signId TEXT PRIMARY KEY,
  externalId TEXT NOT NULL,
  status TEXT NOT NULL,
  name TEXT,
  seenAt TEXT NOT NULL,
  settledAt TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX unknownSignaturesOpen ON unknownSignatures (seenAt) WHERE settledAt IS NULL;
`;
