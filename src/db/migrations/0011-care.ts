/** Runs of the nightly housekeeping and of the scheduled backup; how to find what has been kept long enough. */
export const sql = `
CREATE TABLE newRuns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name IN ('expire', 'reconcile', 'care', 'backup')),
  startedAt TEXT NOT NULL,
  finishedAt TEXT,
  result TEXT
) STRICT;
INSERT INTO newRuns SELECT id, name, startedAt, finishedAt, result FROM runs;
DROP TABLE runs;
ALTER TABLE newRuns RENAME TO runs;
CREATE INDEX runsByName ON runs (name, id);
CREATE INDEX runsByStart ON runs (startedAt);

CREATE INDEX jobsCompleted ON jobs (finishedAt) WHERE state = 'completed';
CREATE INDEX inboxBodies ON inbox (finishedAt) WHERE body IS NOT NULL AND finishedAt IS NOT NULL;
`;
