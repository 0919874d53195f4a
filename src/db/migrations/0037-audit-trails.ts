/**
 * The provider's audit trails, fetched after the signature and kept as files beside the signed PDFs. For contracts signed
 * before, an export asks the provider.
 */
export const sql = `
CREATE TABLE auditTrails (
  contractId INTEGER PRIMARY KEY REFERENCES contracts (id) ON DELETE CASCADE,
  dueAt TEXT,
  files TEXT
) STRICT;
CREATE INDEX auditTrailsDue ON auditTrails (dueAt) WHERE dueAt IS NOT NULL;
`;
