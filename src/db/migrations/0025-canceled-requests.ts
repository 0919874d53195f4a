/** A request may be canceled. Only the text of the constraint changes, where it stands, as in 0014. */
const STATUSES = ['new', 'in_progress', 'WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE'];
const either = (statuses: readonly string[]) =>
  `CHECK (${statuses.map((status) => `status = ''${status}''`).join(' OR ')})`;

export const sql = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '${either(STATUSES)}', '${either([...STATUSES, 'CANCELED'])}')
  WHERE type = 'table' AND name = 'requests';
PRAGMA writable_schema = RESET;
`;
