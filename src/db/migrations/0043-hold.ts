/** A restored installation is held: it sends nothing until somebody takes over. */
export const sql = `
CREATE TABLE hold (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  since TEXT NOT NULL,
  madeAt TEXT NOT NULL,
  lastJobId INTEGER NOT NULL
) STRICT;
`;
