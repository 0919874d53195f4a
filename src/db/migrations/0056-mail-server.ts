/** That the mail server refuses us is known like a failing run: since when, and until a mail leaves again. */
export const sql = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, 'name = ''backup''', 'name = ''backup'' OR name = ''mail''')
  WHERE type = 'table' AND name = 'failingRuns';
PRAGMA writable_schema = RESET;
`;
