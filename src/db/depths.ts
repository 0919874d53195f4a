/** Depths and ages for those who watch the service. Each reads an index over what is open, never over what is done. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { JobKind } from './schema.js';

export interface JobDepth {
  kind: JobKind;
  state: 'available' | 'running' | 'failed';
  count: number;
}

const available = query(() =>
  sqlite
    .selectFrom('jobs')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('available'))
    .groupBy('kind'),
);

const running = query(() =>
  sqlite
    .selectFrom('jobs')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('running'))
    .groupBy('kind'),
);

const failed = query(() =>
  sqlite
    .selectFrom('jobs')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('failed'))
    .groupBy('kind'),
);

/** How many jobs of each kind wait, run and have failed. */
export function countOpenJobs(db: Db): JobDepth[] {
  const of = (q: typeof available, state: JobDepth['state']) =>
    db.all(q, {}).map(({ kind, count }) => ({ kind, state, count }));
  return [...of(available, 'available'), ...of(running, 'running'), ...of(failed, 'failed')];
}
