/**
 * The digest of the PDF to sign: numbers of contracts come back when a database is restored without its files, and the file under
 * a number can be another contract's. Empty: stored by an older version.
 */
export const sql = `ALTER TABLE contracts ADD COLUMN draftSha256 TEXT DEFAULT ''`;
