/**
 * The check of payments, the reminders and the audit trails are runs of their own, so that one that fails is known. Where a round
 * of calls broke off is kept, so that the next one begins behind it.
 */
export const sql = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, 'name = ''backup''',
    'name = ''backup'' OR name = ''payments'' OR name = ''reminders'' OR name = ''trails''')
  WHERE type = 'table' AND (name = 'runs' OR name = 'failingRuns');
PRAGMA writable_schema = RESET;

CREATE TABLE roundPlaces (
  name TEXT PRIMARY KEY,
  place TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
