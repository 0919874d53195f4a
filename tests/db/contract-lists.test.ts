/** Pages and totals of contracts are those of a naive list, whatever happens to them; every plan is an index's. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countContractsByStatus, listContracts, type ContractFilter } from '../../src/db/contracts/lists.js';
import { COUNTED, countsOf } from '../../src/db/counts.js';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import { pathsOf } from '../../src/db/paths.js';
import type { ContractStatus } from '../../src/db/schema.js';
import { aDatabase, aFile, aRecorder, open } from './support.js';

const STATUSES: ContractStatus[] = ['PENDING', 'SIGNED', 'EXPIRED'];
const OWNERS = 3;
const REQUESTS = 40;

interface Row {
  id: number;
  requestId: number;
  status: ContractStatus;
  createdAt: string;
}

const ownerOf = (requestId: number) => 1 + (requestId % OWNERS);

function withRequests(db: Db): Db {
  db.raw.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${OWNERS})
      INSERT INTO users (id, username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      SELECT i, i, '', '', '', 'ROLE_USER', 1, '2026', '2026' FROM n;
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (1, '', '', '', '2026', '2026');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${REQUESTS})
      INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt)
      SELECT i, 1 + i % ${OWNERS}, 1, '', '', 'new', '2026-03-01T09:00:00.000Z', '2026' FROM n;`);
  return db;
}

/** Times in heaps: many in one millisecond, one hour, one day, and some far away. */
const time = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }).map((n) => n * 100) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_600_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 86_400_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -5e10, max: 5e10 }) },
  )
  .map((ms) => new Date(Date.UTC(2026, 1, 28, 22) + ms).toISOString());

const row = fc.record({
  requestId: fc.integer({ min: 1, max: REQUESTS }),
  status: fc.constantFrom(...STATUSES),
  createdAt: time,
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
const page = fc.record({
  filter: fc.record({
    ownerId: fc.option(fc.integer({ min: 1, max: OWNERS + 1 }), { nil: null, freq: 1 }),
    status: maybe(fc.array(fc.constantFrom(...STATUSES), { maxLength: 4 })),
    request: fc.option(fc.array(fc.integer({ min: 1, max: REQUESTS }), { maxLength: 3 }), {
      nil: null,
      freq: 1,
    }),
    createdAt: fc.record({ from: maybe(time), until: maybe(time) }),
  }),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom(0, 1, 7, 30, 100),
  /** Where in the list the page begins, in percent; beyond its end, too. */
  place: fc.integer({ min: 0, max: 110 }),
});

/** Old contracts may be as many as they like; only one of a request may be alive, so that index is left out. */
function insert(db: Db, rows: Omit<Row, 'id'>[]): Row[] {
  db.raw.exec('DROP INDEX IF EXISTS contractAliveByRequest');
  const statement = db.raw.prepare(
    `INSERT INTO contracts (requestId, status, amount, currency, createdAt, expiredAt, signedAt, pdfSha256, pdfSize)
       VALUES (@requestId, @status, 1, 'eur', @createdAt, '2027', @signedAt, @signedAt, 1) RETURNING id`,
  );
  return rows.map((each) => {
    const signedAt = each.status === 'SIGNED' ? '2026-03-02' : null;
    return { ...each, ...(statement.get({ ...each, signedAt }) as { id: number }) };
  });
}

function naive(rows: Row[], { ownerId, status, request, createdAt: { from, until } }: ContractFilter): Row[] {
  const found = rows.filter(
    (each) =>
      (ownerId === null || ownerId === ownerOf(each.requestId)) &&
      (status === null || status.includes(each.status)) &&
      (request === null || request.includes(each.requestId)) &&
      (from === null || each.createdAt >= from) &&
      (until === null || each.createdAt < until),
  );
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id));
}

type Wanted = typeof page extends fc.Arbitrary<infer P> ? P : never;

function compare(db: Db, rows: Row[], { filter, direction, limit, place }: Wanted): void {
  const all = naive(rows, filter);
  if (direction === 'desc') all.reverse();
  const offset = Math.floor((place * all.length) / 100);
  const found = listContracts(db, { filter, direction, limit, offset });
  expect(found.total).toBe(all.length);
  expect(found.rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + limit).map(({ id }) => id));
}

function expectCounted(db: Db, rows: Row[]): void {
  const counted = (wanted: ContractStatus) => rows.filter(({ status }) => status === wanted).length;
  expect(countContractsByStatus(db)).toEqual(
    Object.fromEntries(STATUSES.map((status) => [status, counted(status)])),
  );
  const kept = 'SELECT unit, period, status, count FROM contractCounts ORDER BY 1, 2, 3';
  const real = `SELECT column1 AS unit, substr(createdAt, 1, column1) AS period, status, count(*) AS count
    FROM contracts, (VALUES (7), (10), (13)) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  expect(db.raw.prepare(kept).all()).toEqual(db.raw.prepare(real).all());
}

test('every page of a long list is the naive one', () => {
  const db = withRequests(aDatabase().db);
  const rows = insert(db, fc.sample(row, { numRuns: 3_000, seed: 1 }));
  fc.assert(
    fc.property(page, (wanted) => compare(db, rows, wanted)),
    { numRuns: 400 },
  );
});

test('the pages put together are the whole list, every contract once', () => {
  const db = withRequests(aDatabase().db);
  const rows = insert(db, fc.sample(row, { numRuns: 1_500, seed: 2 }));
  for (const status of [null, STATUSES.slice(1)]) {
    const filter = { ownerId: null, status, request: null, createdAt: { from: null, until: null } };
    const seen: number[] = [];
    for (let offset = 0; offset < rows.length; offset += 30)
      seen.push(
        ...listContracts(db, { filter, direction: 'asc', limit: 30, offset }).rows.map(({ id }) => id),
      );
    expect(seen).toEqual(naive(rows, filter).map(({ id }) => id));
  }
});

test('pages, totals and counts follow when contracts come, move and go', () => {
  const change = fc.record({ pick: fc.nat(), to: maybe(fc.constantFrom(...STATUSES)) });
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.array(change, { maxLength: 40 }),
      fc.array(page),
      (given, changes, pages) => {
        const db = withRequests(aDatabase().db);
        const rows = insert(db, given);
        for (const { pick, to } of changes) {
          const at = rows[pick % (rows.length || 1)];
          if (at === undefined) break;
          if (to === null) {
            db.raw.prepare('DELETE FROM contracts WHERE id = ?').run(at.id);
            rows.splice(rows.indexOf(at), 1);
          } else {
            at.status = to;
            const signedAt = to === 'PENDING' ? null : '2026-03-02';
            db.raw
              .prepare(
                'UPDATE contracts SET status = @status, signedAt = @signedAt, pdfSha256 = @signedAt WHERE id = @id',
              )
              .run({ ...at, signedAt });
          }
        }
        for (const wanted of pages) compare(db, rows, wanted);
        expectCounted(db, rows);
      },
    ),
    { numRuns: 20 },
  );
});

test('those from before they were counted by time are counted when the database is brought up to date', () => {
  const db = open(aFile());
  migrate(db, {
    migrations: MIGRATIONS.filter(({ name }) => !name.endsWith('contracts-by-time')).slice(0, 47),
  });
  withRequests(db);
  const rows = insert(db, fc.sample(row, { numRuns: 300, seed: 3 }));
  expect(migrate(db).join()).toContain('contracts-by-time');
  expectCounted(db, rows);
});

test('every filter by status, in either order, goes through one index that holds all it looks at; nothing is sorted', () => {
  const { raw } = aDatabase().db;
  const paths = pathsOf('contracts');
  for (const oneOf of [null, STATUSES.slice(0, 1), STATUSES]) {
    const recorder = aRecorder({ count: 0 });
    const path = { first: oneOf && { is: COUNTED.contracts.status, oneOf }, also: {} };
    const span = { from: '', until: '~' };
    paths.count(recorder.db, path, span);
    for (const direction of ['asc', 'desc'] as const)
      paths.page(recorder.db, path, { ...span, direction, limit: 30, offset: 60 });
    const index = oneOf ? 'contractsByStatus (<expr>=? AND' : 'contractsByCreation (';
    for (const { sql, parameters } of recorder.runs) {
      const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      const steps = plan
        .map(({ detail }) => detail)
        .filter((detail) => /COVERING|TEMP|SCAN contracts/.test(detail));
      const search = `SEARCH contracts USING COVERING INDEX ${index}`;
      expect({ sql, steps }).toEqual({
        sql,
        steps: (oneOf ?? [null]).map(() => expect.stringContaining(search)),
      });
    }
  }
});

test.each(['requests', 'contracts'] as const)(
  'counts of %s are compared with the rows in indexes that hold all that is looked at',
  (table) => {
    const { raw } = aDatabase().db;
    const recorder = aRecorder({ rows: 0, isWrong: 0 });
    countsOf(table).compare(recorder.db, { from: '2026-01', until: '2026-02' });
    const [{ sql, parameters }] = recorder.runs as [(typeof recorder.runs)[number]];
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
    const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes(table));
    expect(steps.length).toBeGreaterThan(1);
    for (const step of steps)
      expect(step).toMatch(/^SEARCH \w+ USING COVERING INDEX \w+By(Creation|Status) /);
    for (const { detail } of plan.filter(({ detail }) => /Counts/.test(detail)))
      expect(detail).toMatch(/^SEARCH \w+ USING PRIMARY KEY \(unit=\? AND period>\? AND period<\?\)/);
  },
);

test.each(['requests', 'contracts'] as const)(
  'counts of %s that are wrong in any month are found there, and counting that month again mends them',
  (table) => {
    const db = withRequests(aDatabase().db);
    insert(db, fc.sample(row, { numRuns: 200, seed: 4 }));
    const counts = countsOf(table);
    const wrong = () => [...counts.stretches(db)].filter((stretch) => counts.compare(db, stretch).isWrong);
    const kept = () => db.raw.prepare(`SELECT * FROM ${COUNTED[table].counts}`).all();
    const right = kept();
    expect(wrong()).toEqual([]);
    const lies = [
      `UPDATE ${COUNTED[table].counts} SET count = count + 1 WHERE unit = 10`,
      `DELETE FROM ${COUNTED[table].counts}`,
      `INSERT INTO ${COUNTED[table].counts} VALUES (7, '1999-01', 'nonsense', 3)`,
      `INSERT INTO ${COUNTED[table].counts} VALUES (7, '2099-01', 'nonsense', 3)`,
    ];
    for (const lie of lies) {
      db.raw.exec(lie);
      const found = wrong();
      expect({ lie, found: found.length > 0 }).toEqual({ lie, found: true });
      for (const stretch of found) counts.recount(db, stretch);
      expect(kept()).toEqual(right);
    }
  },
);
