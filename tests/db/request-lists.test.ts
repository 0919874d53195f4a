/** Pages and totals of requests are those of a naive list, whatever the data, filter, order and page; every plan is an index's. */
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import { openDb } from '../../src/db/open.js';
import { pathsOf, type Path } from '../../src/db/paths.js';
import { pathOf } from '../../src/db/requests/path.js';
import { listRequestsBySince } from '../../src/db/requests/by-since.js';
import {
  countRequests,
  listRequests,
  listRequestsBefore,
  type RequestFilter,
} from '../../src/db/requests/lists.js';
import type { RequestStatus } from '../../src/db/schema.js';
import {
  anyPage,
  byCreation,
  expectCountsKept,
  expectPage,
  isWithin,
  maybe,
  time,
  timeRange,
} from './counted-lists.js';
import { aRecorder } from './support.js';

const STATUSES: RequestStatus[] = ['new', 'in_progress', 'WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE'];
const FUTURE = '2099-01-01T00:00:00.000Z';
const OWNERS = 3;
const EQUIPMENTS = 9;

interface Row {
  id: number;
  ownerId: number;
  equipmentId: number;
  status: RequestStatus;
  createdAt: string;
}

function emptyDatabase(migrations = MIGRATIONS): Db {
  const db = openDb(':memory:', { busyTimeoutMs: 0 });
  onTestFinished(() => db.close());
  migrate(db, { migrations });
  for (let i = 1; i <= OWNERS; i += 1) {
    db.raw
      .exec(`INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES ('user${i}', '', '', '', 'ROLE_USER', 1, '', '')`);
  }
  for (let i = 1; i <= EQUIPMENTS; i += 1) {
    db.raw.exec(`INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      VALUES (${1 + (i % OWNERS)}, '', '', 'SN-${i}', '', '')`);
  }
  return db;
}

const row = fc.record({
  ownerId: fc.integer({ min: 1, max: OWNERS }),
  equipmentId: fc.integer({ min: 1, max: EQUIPMENTS }),
  status: fc.constantFrom(...STATUSES),
  createdAt: time,
});

const filter: fc.Arbitrary<RequestFilter> = fc.record({
  owner: maybe(fc.uniqueArray(fc.integer({ min: 1, max: OWNERS + 1 }), { maxLength: 3 })),
  status: maybe(fc.array(fc.constantFrom(...STATUSES), { maxLength: 6 })),
  // More than there are, so that the list is also long enough to be sorted instead of merged.
  equipment: maybe(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 })),
  createdAt: timeRange,
});
const page = anyPage(filter);

function insert(db: Db, rows: Omit<Row, 'id'>[]): Row[] {
  const statement = db.raw
    .prepare(`INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt)
    VALUES (@ownerId, @equipmentId, '', '', @status, @createdAt, '') RETURNING id`);
  return rows.map((each) => ({ ...each, ...(statement.get(each) as { id: number }) }));
}

function naive(rows: Row[], { owner, status, equipment, createdAt }: RequestFilter): Row[] {
  const found = rows.filter(
    (each) =>
      (owner === null || owner.includes(each.ownerId)) &&
      (status === null || status.includes(each.status)) &&
      (equipment === null || equipment.includes(each.equipmentId)) &&
      isWithin(each.createdAt, createdAt),
  );
  return found.sort(byCreation);
}

function compare(db: Db, rows: Row[], wanted: typeof page extends fc.Arbitrary<infer P> ? P : never) {
  const all = naive(rows, wanted.filter);
  expectPage((asked) => listRequests(db, asked), all, wanted);
  expect(countRequests(db, wanted.filter)).toBe(all.length);
}

test('every page of a long list is the naive one', () => {
  const db = emptyDatabase();
  const rows = insert(db, fc.sample(row, { numRuns: 4_000, seed: 1 }));
  fc.assert(
    fc.property(page, (wanted) => compare(db, rows, wanted)),
    { numRuns: 400 },
  );
});

test.each([7, 30])('the pages of %i put together are the whole list, every row once', (limit) => {
  const db = emptyDatabase();
  const rows = insert(db, fc.sample(row, { numRuns: 2_000, seed: 2 }));
  for (const status of [null, STATUSES.slice(1, 3)]) {
    const filter = { owner: null, status, equipment: null, createdAt: { from: null, until: null } };
    const all = naive(rows, filter).map(({ id }) => id);
    for (const direction of ['asc', 'desc'] as const) {
      const seen: number[] = [];
      for (let offset = 0; offset < all.length; offset += limit) {
        seen.push(...listRequests(db, { filter, direction, limit, offset }).rows.map(({ id }) => id));
      }
      expect(seen).toEqual(direction === 'asc' ? all : all.toReversed());
    }
  }
});

test('a walk from the newest to the oldest sees every row of every filter once, also while others come', () => {
  const db = emptyDatabase();
  const rows = insert(db, fc.sample(row, { numRuns: 300, seed: 4 }));
  const walk = (wanted: RequestFilter) => {
    const seen: number[] = [];
    for (let before: Row | undefined; ;) {
      const page = listRequestsBefore(db, wanted, { before, limit: 7 });
      seen.push(...page.map(({ id }) => id));
      insert(db, [{ ownerId: 1, equipmentId: 1, status: 'new', createdAt: FUTURE }]);
      if (page.length < 7) return seen;
      before = page.at(-1);
    }
  };
  fc.assert(
    fc.property(filter, (wanted) => {
      expect(walk(wanted)).toEqual(
        naive(rows, wanted)
          .map(({ id }) => id)
          .toReversed(),
      );
      db.raw.exec(`DELETE FROM requests WHERE createdAt = '${FUTURE}'`);
    }),
    { numRuns: 40 },
  );
});

test('in the order of their status since when, page by page and back, every row is there once', () => {
  const db = emptyDatabase();
  insert(db, fc.sample(row, { numRuns: 300, seed: 5 }));
  db.raw.exec("UPDATE requests SET statusSince = '2026-03-0' || (id % 7)");
  for (const statuses of [STATUSES, STATUSES.slice(0, 1)]) {
    const all = db.raw
      .prepare(
        `SELECT id FROM requests WHERE status IN (SELECT value FROM json_each(?)) ORDER BY statusSince, id`,
      )
      .pluck()
      .all(JSON.stringify(statuses));
    for (const direction of ['asc', 'desc'] as const) {
      const seen: number[] = [];
      for (let beyond: { id: number; statusSince: string } | undefined; ;) {
        const page = listRequestsBySince(db, { statuses, direction, beyond, limit: 7 });
        seen.push(...page.map(({ id }) => id));
        if (page.length < 7) break;
        beyond = page.at(-1);
      }
      expect(seen).toEqual(direction === 'asc' ? all : all.toReversed());
    }
  }
});

test('totals and pages follow when requests come, move, change hands and go', () => {
  const change = fc.record({
    pick: fc.nat(),
    /** None: the request goes. */
    to: maybe(row),
    keeps: fc.subarray(['ownerId', 'equipmentId', 'status', 'createdAt'] as const),
  });
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.array(change, { maxLength: 40 }),
      fc.array(page),
      (given, changes, pages) => {
        const db = emptyDatabase();
        const rows = insert(db, given);
        for (const { pick, to, keeps } of changes) {
          const at = rows[pick % (rows.length || 1)];
          if (at === undefined) break;
          if (to === null) {
            db.raw.prepare('DELETE FROM requests WHERE id = ?').run(at.id);
            rows.splice(rows.indexOf(at), 1);
          } else {
            Object.assign(at, to, Object.fromEntries(keeps.map((name) => [name, at[name]])));
            db.raw
              .prepare(
                `UPDATE requests SET ownerId = @ownerId, equipmentId = @equipmentId, status = @status,
                  createdAt = @createdAt WHERE id = @id`,
              )
              .run(at);
          }
        }
        for (const wanted of pages) compare(db, rows, wanted);
        expectCountsKept(db, 'requests');
      },
    ),
    { numRuns: 30 },
  );
});

test('requests from before there were counts are counted when the database is brought up to date', () => {
  const db = emptyDatabase(MIGRATIONS.filter(({ name }) => name < '0008'));
  const rows = insert(db, fc.sample(row, { numRuns: 500, seed: 3 }));
  migrate(db);
  expectCountsKept(db, 'requests');
  fc.assert(
    fc.property(page, (wanted) => compare(db, rows, wanted)),
    { numRuns: 20 },
  );
});

/** Every combination of what a filter may hold: shapes of queries, whatever the values. */
const COMBINATIONS = [null, [1], [1, 2]].flatMap((owner) =>
  [null, STATUSES.slice(0, 1), STATUSES].flatMap((status) =>
    [null, [1], [1, 2, 3]].map((equipment) => ({
      owner,
      status,
      equipment,
      createdAt: { from: '2026', until: '2027' },
    })),
  ),
);

test('every filter, in either order, goes through one index that holds all it looks at, and nothing is sorted', () => {
  const { raw } = emptyDatabase();
  const paths = pathsOf('requests');
  for (const filter of COMBINATIONS) {
    const path = pathOf(filter) as Path;
    const span = { from: '', until: '' };
    const recorder = aRecorder({ count: 0 });
    paths.count(recorder.db, path, span);
    for (const direction of ['asc', 'desc'] as const)
      paths.page(recorder.db, path, { ...span, direction, limit: 1, offset: 0 });
    const search = `SEARCH requests USING COVERING INDEX ${indexFor(filter)} (`;
    for (const { sql, parameters } of recorder.runs) {
      const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      const steps = plan
        .map(({ detail }) => detail)
        .filter(
          (detail) =>
            /requests\b|TEMP/.test(detail) && !detail.endsWith('USING INTEGER PRIMARY KEY (rowid=?)'),
        );
      expect({ sql, steps }).toEqual({ sql, steps: steps.map(() => expect.stringContaining(search)) });
      expect(steps).toHaveLength(path.first?.oneOf.length ?? 1);
    }
  }
});

test('the order of the status since when is that of an index, for one status and for all; nothing is sorted', () => {
  const { raw } = emptyDatabase();
  for (const statuses of [STATUSES, STATUSES.slice(0, 1)]) {
    for (const direction of ['asc', 'desc'] as const) {
      const recorder = aRecorder({});
      listRequestsBySince(recorder.db, { statuses, direction, limit: 1 });
      const [{ sql, parameters }] = recorder.runs as [(typeof recorder.runs)[number]];
      const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      const steps = plan.map(({ detail }) => detail).filter((detail) => /INDEX|TEMP/.test(detail));
      expect(steps).toEqual(
        statuses.map(() =>
          expect.stringMatching(
            /^SEARCH requests USING COVERING INDEX requestsByStatusSince \(status=\? AND/,
          ),
        ),
      );
    }
  }
});

function indexFor({ owner, status, equipment }: RequestFilter): string {
  if (equipment) return 'requestsByEquipment';
  if (owner) return 'requestsByOwner';
  return status ? 'requestsByStatus' : 'requestsByCreation';
}
