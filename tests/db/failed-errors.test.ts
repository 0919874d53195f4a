/** The failed list is counted by kind and error as jobs fail, are tried again and are removed; the counts are always those of the jobs. */
import { expect, test } from 'vitest';
import {
  countFailedJobs,
  listFailedErrors,
  listFailedGroups,
  type FailedFilter,
} from '../../src/db/jobs/failed.js';
import { countOpenJobs } from '../../src/db/jobs/jobs.js';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import type { Db } from '../../src/db/db.js';
import { aDatabase, aFile, open } from './support.js';

const KINDS = ['send-mail', 'deliver-webhook'];
const ERRORS = ['timeout', 'Refused: 550', null];
const STATES = ['available', 'running', 'completed', 'failed', 'failed'];

/** Since the beginning of time: read from the jobs themselves. */
const BY_JOBS: FailedFilter = { after: '0' };
const FILTERS: FailedFilter[] = [
  {},
  { kind: 'send-mail' },
  { error: 'REFUSED' },
  { kind: 'send-mail', errorIs: 'timeout' },
  { kind: 'deliver-webhook', errorIs: null },
];

function put(db: Db, id: number, at: number, [kind, error, state]: readonly (string | null)[]): void {
  db.raw
    .prepare(
      `INSERT INTO jobs (id, kind, payload, state, runAt, createdAt, lastError, finishedAt, leaseUntil, leaseToken)
         VALUES (@id, @kind, '{}', @state, '2026', '2026', @error, @finishedAt, @lease, @lease)
         ON CONFLICT (id) DO UPDATE SET state = @state, lastError = @error, finishedAt = @finishedAt, leaseUntil = @lease, leaseToken = @lease`,
    )
    .run({
      id,
      kind,
      error,
      state,
      finishedAt: state === 'failed' || state === 'completed' ? `2026-03-${String(10 + (at % 20))}` : null,
      lease: state === 'running' ? 'x' : null,
    });
}

function expectSame(db: Db): void {
  const inOrder = <T extends { kind: string; error: string | null }>(rows: T[]) =>
    rows.toSorted((a, b) => `${a.kind} ${a.error}`.localeCompare(`${b.kind} ${b.error}`));
  const groups = (filter: FailedFilter) =>
    inOrder(listFailedGroups(db, filter, 10).map((group) => ({ ...group, jobId: 0 })));
  for (const filter of FILTERS) {
    const byJobs = { ...filter, ...BY_JOBS };
    expect(countFailedJobs(db, filter)).toBe(countFailedJobs(db, byJobs));
    expect(inOrder(listFailedErrors(db, filter))).toEqual(inOrder(listFailedErrors(db, byJobs)));
    expect(groups(filter)).toEqual(groups(byJobs));
  }
  const sum = countOpenJobs(db).reduce((all, { state, count }) => all + (state === 'failed' ? count : 0), 0);
  expect(sum).toBe(countFailedJobs(db, BY_JOBS));
}

test('whatever happens to jobs, in any order', () => {
  const { db } = aDatabase();
  let seed = 1;
  const any = <T>(all: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return all[seed % all.length] as T;
  };
  const ids = Array.from({ length: 12 }, (_, i) => i + 1);
  for (let step = 0; step < 600; step += 1) {
    const id = any(ids);
    if (any([0, 1, 2, 3]) === 0) db.raw.prepare('DELETE FROM jobs WHERE id = ?').run(id);
    else put(db, id, step, [any(KINDS), any(ERRORS), any(STATES)]);
    if (step % 20 === 0) expectSame(db);
  }
  expectSame(db);
  db.raw.exec('DELETE FROM jobs');
  expect(db.raw.prepare('SELECT * FROM failedErrors').all()).toEqual([]);
});

test('a group names its first and last failure, and one of its jobs', () => {
  const { db } = aDatabase();
  put(db, 1, 5, ['send-mail', 'timeout', 'failed']);
  put(db, 2, 3, ['send-mail', 'timeout', 'failed']);
  put(db, 3, 9, ['send-mail', null, 'failed']);
  expect(listFailedGroups(db, {}, 10)).toEqual([
    { kind: 'send-mail', error: 'timeout', count: 2, oldest: '2026-03-13', newest: '2026-03-15', jobId: 1 },
    { kind: 'send-mail', error: null, count: 1, oldest: '2026-03-19', newest: '2026-03-19', jobId: 3 },
  ]);
});

test('those that had failed before the counts began are counted by the migration', () => {
  const db = open(aFile());
  migrate(db, { migrations: MIGRATIONS.slice(0, 44) });
  for (const [i, error] of ['timeout', 'timeout', null, ''].entries())
    put(db, i + 1, i, ['send-mail', error, 'failed']);
  put(db, 9, 9, ['send-mail', 'timeout', 'available']);
  expect(migrate(db)).toContain('0045-failed-errors');
  expectSame(db);
  expect(listFailedErrors(db, {})).toEqual([
    { kind: 'send-mail', error: '', count: 2 },
    { kind: 'send-mail', error: 'timeout', count: 2 },
  ]);
});
