/** Snapshots, and copies off this machine, are runs: the last good one is known, and one that is missing is told. */
export const sql = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, 'name = ''backup''', 'name = ''backup'' OR name = ''snapshot'' OR name = ''offsite''')
  WHERE type = 'table' AND (name = 'runs' OR name = 'failingRuns');
PRAGMA writable_schema = RESET;
`;
