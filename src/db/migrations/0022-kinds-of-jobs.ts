/**
 * The kinds of jobs are declared in the program alone, so a new one needs no migration. Only the text of the constraint
 * changes, and it is changed where it stands, as in 0014: the table may be large.
 */
const KINDS = ['create-payment-session', 'send-mail', 'deliver-webhook', 'complete-signature'];
const listed = `CHECK (${KINDS.map((kind) => `kind = '${kind}'`).join(' OR ')})`;

export const sql = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '${listed.replaceAll("'", "''")}', 'CHECK (kind <> '''')')
  WHERE type = 'table' AND name = 'jobs';
PRAGMA writable_schema = RESET;
`;
