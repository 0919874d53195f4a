/**
 * What every write of a job, a contract or a request pays for.
 *
 * A CHECK with IN and more than two values makes SQLite fill a small table in memory for each row that it writes: a
 * quarter of what its statements do for a job. The same said with OR costs nothing. The text of a constraint is all that
 * changes, so it is changed where it stands, instead of copying every table (SQLite, "Making Other Kinds Of Table Schema
 * Changes").
 *
 * One index holds the jobs that wait and those that run, since a job that is taken then stays on the page where it was.
 * Completed jobs have none: the nightly housekeeping walks them by their ids.
 */
const CHECKS: readonly [table: string, column: string, values: string][] = [
  ['requests', 'status', "'new', 'in_progress', 'WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE'"],
  ['contracts', 'status', "'PENDING', 'SIGNED', 'EXPIRED'"],
  ['payments', 'status', "'open', 'paid', 'expired'"],
  ['jobs', 'kind', "'create-payment-session', 'send-mail', 'deliver-webhook', 'complete-signature'"],
  ['jobs', 'state', "'available', 'running', 'completed', 'failed'"],
  ['inbox', 'state', "'received', 'done', 'refused', 'ignored'"],
  ['webhooks', 'event', "'request.created', 'request.updated', 'offer.created', 'troubleshooting.updated'"],
  ['deliveries', 'state', "'pending', 'delivered', 'failed'"],
  ['offers', 'status', "'draft', 'sent', 'accepted', 'refused'"],
  ['troubleshootings', 'status', "'open', 'in_progress', 'solved'"],
  ['runs', 'name', "'expire', 'reconcile', 'care', 'backup'"],
];

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const rewrites = CHECKS.map(([table, column, values]) => {
  const either = values
    .split(', ')
    .map((value) => `${column} = ${value}`)
    .join(' OR ');
  return `UPDATE sqlite_schema SET sql = replace(sql, ${quoted(`CHECK (${column} IN (${values}))`)}, ${quoted(`CHECK (${either})`)})
  WHERE type = 'table' AND name = '${table}';`;
});

export const sql = `
DROP INDEX jobsCompleted;
DROP INDEX jobsRunning;
DROP INDEX jobsAvailable;
CREATE INDEX jobsOpen ON jobs (state, kind, runAt, id) WHERE state = 'available' OR state = 'running';

PRAGMA writable_schema = ON;
${rewrites.join('\n')}
PRAGMA writable_schema = RESET;
`;
