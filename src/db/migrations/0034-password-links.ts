/**
 * Links by mail with which people set their password: an invitation, or a reset. Of their tokens only digests are kept. What
 * a link opens ends when the password, the address or the account's state changes: all of them raise `linkVersion`.
 */
export const sql = `
ALTER TABLE users ADD COLUMN linkVersion INTEGER NOT NULL DEFAULT 0;

CREATE TABLE passwordLinks (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset')),
  tokenHash TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL CHECK (expiresAt > createdAt),
  usedAt TEXT
) STRICT;
CREATE INDEX passwordLinksByUser ON passwordLinks (userId);
CREATE INDEX passwordLinksByExpiry ON passwordLinks (expiresAt);
`;
