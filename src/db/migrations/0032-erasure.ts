/**
 * Accounts whose personal data were erased. What is taken out of the search is gone from its file at once, instead of when
 * the index is merged; for the pages of tables the connection does the same (db/open.ts).
 */
export const sql = `
ALTER TABLE users ADD COLUMN erasedAt TEXT;
CREATE INDEX usersErased ON users (id) WHERE erasedAt IS NOT NULL;

INSERT INTO requestWords (requestWords, rank) VALUES ('secure-delete', 1);
INSERT INTO customerWords (customerWords, rank) VALUES ('secure-delete', 1);
`;
