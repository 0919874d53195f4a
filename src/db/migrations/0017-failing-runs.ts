/** Scheduled work that fails: one row from its first failure until the next run that ends well. */
export const sql = `
CREATE TABLE failingRuns (
  name TEXT PRIMARY KEY CHECK (name = 'expire' OR name = 'reconcile' OR name = 'care' OR name = 'backup'),
  since TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0),
  error TEXT NOT NULL
) STRICT;
`;
