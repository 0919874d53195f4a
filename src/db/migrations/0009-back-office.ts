/** The back office: who is logged in, titles by their words, and contracts that must be signed soon. */
export const sql = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  tokenHash TEXT NOT NULL UNIQUE,
  -- The user's at log-in: a changed password or a closed account raises it, which ends the session.
  tokenVersion INTEGER NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  lastSeenAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  -- What the next page says, once: JSON.
  flash TEXT
) STRICT;
CREATE INDEX sessionsByUser ON sessions (userId, id);
CREATE INDEX sessionsByExpiry ON sessions (expiresAt);

CREATE VIRTUAL TABLE requestTitles USING fts5 (
  title, content = 'requests', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO requestTitles (rowid, title) SELECT id, title FROM requests;
CREATE TRIGGER requestTitleAdded AFTER INSERT ON requests BEGIN
  INSERT INTO requestTitles (rowid, title) VALUES (new.id, new.title);
END;
CREATE TRIGGER requestTitleChanged AFTER UPDATE OF title ON requests BEGIN
  INSERT INTO requestTitles (requestTitles, rowid, title) VALUES ('delete', old.id, old.title);
  INSERT INTO requestTitles (rowid, title) VALUES (new.id, new.title);
END;
CREATE TRIGGER requestTitleRemoved AFTER DELETE ON requests BEGIN
  INSERT INTO requestTitles (requestTitles, rowid, title) VALUES ('delete', old.id, old.title);
END;

CREATE INDEX contractsToSign ON contracts (expiredAt, id) WHERE status = 'PENDING';
`;
