/** What the daemon last ran with, as digests: so the history can name the settings that a restart has changed. */
export const sql = `
CREATE TABLE settingsInForce (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
