/** The newest ids of a kind, over a connection of its own: completion waits for a person's finger, not for the query builder. */
import Database from 'better-sqlite3';

export type IdSource = 'requests' | 'failed-jobs' | 'webhooks' | 'deliveries';

export interface KnownId {
  value: string;
  about: string;
}

/** How many of the newest are looked through. */
const NEWEST = 2_000;

const QUERIES: Readonly<Record<IdSource, string>> = {
  // A number where a number is begun, else the reference.
  requests: `SELECT value, about FROM (
      SELECT CASE WHEN $begun GLOB '[0-9]*' THEN CAST(id AS TEXT) ELSE reference END AS value,
             status || ' ' || title AS about
      FROM requests ORDER BY id DESC LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = upper($begun) LIMIT $limit`,
  'failed-jobs': `SELECT value, about FROM (
      SELECT CAST(id AS TEXT) AS value, kind || ' ' || coalesce(lastError, '') AS about
      FROM jobs WHERE state = 'failed' ORDER BY finishedAt DESC, id DESC LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = $begun LIMIT $limit`,
  webhooks: `SELECT value, about FROM (
      SELECT CAST(id AS TEXT) AS value, event || ' ' || url AS about FROM webhooks ORDER BY id DESC LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = $begun LIMIT $limit`,
  deliveries: `SELECT value, about FROM (
      SELECT CAST(id AS TEXT) AS value, event || ' ' || state AS about FROM deliveries ORDER BY id DESC LIMIT $newest)
    WHERE substr(value, 1, length($begun)) = $begun LIMIT $limit`,
};

export function findKnownIds(
  file: string,
  { source, begun, limit }: { source: IdSource; begun: string; limit: number },
): KnownId[] {
  const raw = new Database(file, { readonly: true, fileMustExist: true, timeout: 100 });
  try {
    return raw.prepare(QUERIES[source]).all({ begun, limit, newest: NEWEST }) as KnownId[];
  } finally {
    raw.close();
  }
}
