/** The calls of each user within the last hour: those between `firstAt` and `lastAt` are one row. */
export const sql = `
CREATE TABLE userCalls (
  userId INTEGER NOT NULL REFERENCES users (id),
  firstAt TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (userId, firstAt),
  CHECK (firstAt <= lastAt)
) STRICT, WITHOUT ROWID;
CREATE INDEX userCallsByLastAt ON userCalls (lastAt);
`;
