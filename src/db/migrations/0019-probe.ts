/** What the readiness of the service is tried on: a row that is written, and taken away in the same transaction. */
export const sql = `
CREATE TABLE probes (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;
`;
