/** Pages and totals of requests are those of a naive list, whatever the data, filter, order and page; every plan is an index's. */
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { openDb } from '../../src/db/open.js';
import { listRequests, walkRequests, type RequestFilter } from '../../src/db/requests/requests.js';
import type { RequestRow, RequestStatus } from '../../src/db/schema.js';
import { anyPage, byCreation, expectPage, isWithin, maybe, time, timeRange } from './naive-lists.js';
import { aRecorder, stepsOf } from './support.js';

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

function emptyDatabase(): Db {
  const db = openDb(':memory:', { busyTimeoutMs: 0 });
  onTestFinished(() => db.close());
  migrate(db);
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
    .prepare(`INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
    VALUES (@ownerId, @equipmentId, '', '', @status, @createdAt, '', '') RETURNING id`);
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

test('every page of a long list is the naive one', () => {
  const db = emptyDatabase();
  const rows = insert(db, fc.sample(row, { numRuns: 4_000, seed: 1 }));
  fc.assert(
    fc.property(page, (wanted) =>
      expectPage((asked) => listRequests(db, asked), naive(rows, wanted.filter), wanted),
    ),
    { numRuns: 400 },
  );
});

test('a walk from the newest to the oldest sees every row of every filter once, also while others come', () => {
  const db = emptyDatabase();
  const rows = insert(db, fc.sample(row, { numRuns: 300, seed: 4 }));
  const walk = (wanted: RequestFilter) => {
    const seen: number[] = [];
    for (let past: RequestRow | undefined; ;) {
      const page = walkRequests(db, {
        filter: wanted,
        direction: 'desc',
        past: past && { id: past.id, key: past.createdAt },
        limit: 7,
      });
      seen.push(...page.map(({ id }) => id));
      insert(db, [{ ownerId: 1, equipmentId: 1, status: 'new', createdAt: FUTURE }]);
      if (page.length < 7) return seen;
      past = page.at(-1);
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

test('in the order of the time since when they have their status, the pages put together are the whole list', () => {
  const db = emptyDatabase();
  insert(db, fc.sample(row, { numRuns: 300, seed: 5 }));
  db.raw.exec("UPDATE requests SET statusSince = '2026-03-0' || (id % 7)");
  for (const status of [null, STATUSES.slice(0, 1), STATUSES.slice(1)]) {
    const filter = { owner: null, status, equipment: null, createdAt: { from: null, until: null } };
    const all = db.raw
      .prepare(
        `SELECT id FROM requests WHERE status IN (SELECT value FROM json_each(?)) ORDER BY statusSince, id`,
      )
      .pluck()
      .all(JSON.stringify(status ?? STATUSES));
    for (const direction of ['asc', 'desc'] as const) {
      const seen: number[] = [];
      for (let offset = 0; offset < all.length; offset += 7)
        seen.push(
          ...listRequests(db, { filter, by: 'statusSince', direction, limit: 7, offset }).rows.map(
            ({ id }) => id,
          ),
        );
      expect(seen).toEqual(direction === 'asc' ? all : all.toReversed());
    }
  }
});

test('without a filter by customer or equipment, every page and count goes through an index in its order; nothing is sorted', () => {
  const db = emptyDatabase();
  const [created, since] = [{ by: 'createdAt' }, { by: 'statusSince' }] as const;
  const cases = [
    [null, created, 'requestsByCreation (createdAt>'],
    [STATUSES.slice(0, 1), created, 'requestsByStatus (status=? AND createdAt>'],
    [STATUSES, created, 'requestsByCreation (createdAt>'],
    [null, since, 'requestsBySince'],
    [STATUSES.slice(0, 1), since, 'requestsByStatusSince (status=?'],
    [STATUSES, since, 'requestsBySince'],
  ] as const;
  for (const [status, order, index] of cases)
    for (const direction of ['asc', 'desc'] as const) {
      const recorder = aRecorder({ count: 1 });
      const createdAt = order === created ? { from: '2026', until: '2027' } : { from: null, until: null };
      const filter = { owner: null, status, equipment: null, createdAt };
      listRequests(recorder.db, { filter, ...order, direction, limit: 30, offset: 0 });
      const [, page] = recorder.runs;
      expect({
        status,
        order,
        steps: page && stepsOf(db, page).filter((step) => /requests|TEMP/.test(step)),
      }).toEqual({
        status,
        order,
        steps: [expect.stringContaining(index)],
      });
    }
});
