/** The newest ids of a kind, on its own connection and without the query builder, because completion must be fast. */
import Database from 'better-sqlite3';

export type IdSource =
  | 'requests'
  | 'contracts'
  | 'inbox'
  | 'waiting-jobs'
  | 'failed-jobs'
  | 'webhooks'
  | 'deliveries'
  | 'users'
  | 'unknown-signatures'
  | 'unknown-payments';

export interface KnownId {
  value: string;
  about: string;
}

/** How many of the newest are searched. */
const NEWEST = 2_000;

const QUERIES: Readonly<Record<IdSource, string>> = {
  // The number if a number was typed, else the reference.
  requests: `SELECT value, about FROM (
      SELECT CASE WHEN $begun GLOB '[0-9]*' THEN CAST(id AS TEXT) ELSE reference END AS value,
             status || ' ' || title AS about
      FROM requests ORDER BY id DESC LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = upper($begun) LIMIT $limit`,
  contracts: numbers(`status || ' ' || coalesce(signId, '')`, 'contracts ORDER BY id DESC'),
  inbox: numbers(`eventName || ' ' || state`, 'inbox ORDER BY id DESC'),
  // Unordered: an order would sort all of them.
  'waiting-jobs': numbers(`kind || ' ' || runAt`, `jobs WHERE state = 'available'`),
  'failed-jobs': numbers(
    `kind || ' ' || coalesce(lastError, '')`,
    `jobs WHERE state = 'failed' ORDER BY finishedAt DESC, id DESC`,
  ),
  webhooks: numbers(`event || ' ' || url`, 'webhooks ORDER BY id DESC'),
  deliveries: numbers(`event || ' ' || state`, 'deliveries ORDER BY id DESC'),
  'unknown-signatures': `SELECT subject AS value, (detail ->> '$.status') || ' ' || coalesce(detail ->> '$.name', '') AS about
    FROM cases WHERE decidedAt IS NULL AND kind = 'unknown_document' AND substr(subject, 1, length($begun)) = $begun
    LIMIT min($limit, $newest)`,
  'unknown-payments': `SELECT subject AS value, openedAt AS about
    FROM cases WHERE decidedAt IS NULL AND kind = 'unknown_payment' AND substr(subject, 1, length($begun)) = $begun
    LIMIT min($limit, $newest)`,
  users: `SELECT value, about FROM (
      SELECT username AS value, firstName || ' ' || lastName AS about FROM users ORDER BY id DESC LIMIT $newest)
    WHERE lower(substr(value, 1, length($begun))) = lower($begun) LIMIT $limit`,
};

function numbers(about: string, from: string): string {
  return `SELECT value, about FROM (
      SELECT CAST(id AS TEXT) AS value, ${about} AS about FROM ${from} LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = $begun LIMIT $limit`;
}

export function findKnownIds(
  file: string,
  { source, begun, limit }: { source: IdSource; begun: string; limit: number },
): KnownId[] {
  const raw = new Database(file, { readonly: true, fileMustExist: true, timeout: 100 });
  try {
    return raw.prepare<object, KnownId>(QUERIES[source]).all({ begun, limit, newest: NEWEST });
  } finally {
    raw.close();
  }
}
