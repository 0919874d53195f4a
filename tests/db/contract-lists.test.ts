/** Pages and totals of contracts are those of a naive list; every plan is an index's. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countContractsByStatus, listContracts, type ContractFilter } from '../../src/db/contracts/lists.js';
import type { Db } from '../../src/db/db.js';
import type { Own } from '../../src/db/page.js';
import type { ContractStatus } from '../../src/db/schema.js';
import { anyPage, byCreation, expectPage, isWithin, maybe, time, timeRange } from './naive-lists.js';
import { aDatabase, aRecorder, stepsOf } from './support.js';

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
      INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT i, 1 + i % ${OWNERS}, 1, '', '', 'new', '2026-03-01T09:00:00.000Z', '2026', '2026' FROM n;`);
  return db;
}

const row = fc.record({
  requestId: fc.integer({ min: 1, max: REQUESTS }),
  status: fc.constantFrom(...STATUSES),
  createdAt: time,
});
const page = anyPage<ContractFilter & Own>(
  fc.record({
    ownerId: fc.option(fc.integer({ min: 1, max: OWNERS + 1 }), { nil: null, freq: 1 }),
    status: maybe(fc.array(fc.constantFrom(...STATUSES), { maxLength: 4 })),
    term: fc.constant(null),
    request: fc.option(fc.array(fc.integer({ min: 1, max: REQUESTS }), { maxLength: 3 }), {
      nil: null,
      freq: 1,
    }),
    createdAt: timeRange,
  }),
);

/** Old contracts may be as many as they like; only one of a request may be alive, so that index is left out. */
function insert(db: Db, rows: Omit<Row, 'id'>[]): Row[] {
  db.raw.exec('DROP INDEX IF EXISTS contractAliveByRequest');
  const statement = db.raw.prepare(
    `INSERT INTO contracts (key, externalId, requestId, status, amount, currency, createdAt, expiredAt, signedAt, pdfSha256, pdfSize)
       VALUES (hex(randomblob(8)), hex(randomblob(8)), @requestId, @status, 1, 'eur', @createdAt, '2027', @signedAt, @signedAt, 1) RETURNING id`,
  );
  return rows.map((each) => {
    const signedAt = each.status === 'SIGNED' ? '2026-03-02' : null;
    return { ...each, ...(statement.get({ ...each, signedAt }) as { id: number }) };
  });
}

function naive(rows: Row[], { ownerId, status, request, createdAt }: ContractFilter & Own): Row[] {
  const found = rows.filter(
    (each) =>
      (ownerId === null || ownerId === ownerOf(each.requestId)) &&
      (status === null || status.includes(each.status)) &&
      (request === null || request.includes(each.requestId)) &&
      isWithin(each.createdAt, createdAt),
  );
  return found.sort(byCreation);
}

test('every page of a long list, and every count by status, is the naive one', () => {
  const db = withRequests(aDatabase().db);
  const rows = insert(db, fc.sample(row, { numRuns: 3_000, seed: 1 }));
  for (const status of STATUSES)
    expect(countContractsByStatus(db)[status]).toBe(rows.filter((each) => each.status === status).length);
  fc.assert(
    fc.property(page, (wanted) =>
      expectPage((asked) => listContracts(db, asked), naive(rows, wanted.filter), wanted),
    ),
    { numRuns: 400 },
  );
});

test('without a filter by customer or request, every page and count goes through an index in its order; nothing is sorted', () => {
  const { db } = aDatabase();
  for (const status of [null, STATUSES.slice(0, 1), STATUSES])
    for (const direction of ['asc', 'desc'] as const) {
      const recorder = aRecorder({ count: 1 });
      const filter = {
        ownerId: null,
        status,
        request: null,
        term: null,
        createdAt: { from: '2026', until: '2027' },
      };
      listContracts(recorder.db, { filter, direction, limit: 30, offset: 0 });
      for (const run of recorder.runs)
        expect(stepsOf(db, run).filter((step) => /contracts|TEMP/.test(step))).toEqual([
          expect.stringMatching(/^SEARCH contracts USING (COVERING )?INDEX contractsByCreation \(createdAt>/),
        ]);
    }
});
