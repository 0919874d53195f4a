/** Contracts are counted by status as they are made, move and are removed; the counts are always those of the contracts. */
import { expect, test } from 'vitest';
import { countContracts, countContractsByStatus } from '../../src/db/contracts/lists.js';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import type { ContractStatus } from '../../src/db/schema.js';
import { aDatabase, aFile, open } from './support.js';

const STATUSES: ContractStatus[] = ['PENDING', 'SIGNED', 'EXPIRED'];
const ANY = { ownerId: null, request: null, createdAt: { from: null, until: null } };

function withRequests(db: Db, ids: readonly number[]): void {
  db.raw
    .exec(`INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES ('a@example.org', '', '', '', 'ROLE_USER', 1, '2026', '2026');
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (1, '', '', '', '2026', '2026');`);
  const insert = db.raw
    .prepare(`INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt)
    VALUES (?, 1, 1, '', '', 'new', '2026-03-01T09:00:00.000Z', '2026')`);
  for (const id of ids) insert.run(id);
}

/** One contract a request, with its id. */
function put(db: Db, id: number, status: ContractStatus): void {
  const signedAt = status === 'SIGNED' ? '2026-03-02' : null;
  db.raw
    .prepare(
      `INSERT INTO contracts (id, requestId, status, amount, currency, createdAt, expiredAt, signedAt, pdfSha256, pdfSize)
         VALUES (@id, @id, @status, 1, 'eur', '2026-03-01', '2027', @signedAt, @signedAt, @size)
         ON CONFLICT (id) DO UPDATE SET status = @status, signedAt = @signedAt, pdfSha256 = @signedAt, pdfSize = @size`,
    )
    .run({ id, status, signedAt, size: signedAt && 1 });
}

function expectSame(db: Db): void {
  const counted = (status: ContractStatus) =>
    db.raw.prepare('SELECT count(*) FROM contracts WHERE status = ?').pluck().get(status) as number;
  const real = Object.fromEntries(STATUSES.map((status) => [status, counted(status)]));
  expect(countContractsByStatus(db)).toEqual(real);
  for (const status of STATUSES)
    expect(countContracts(db, { ...ANY, status: [status] })).toBe(counted(status));
  expect(countContracts(db, { ...ANY, status: ['SIGNED', 'EXPIRED'] })).toBe(
    counted('SIGNED') + counted('EXPIRED'),
  );
  expect(countContracts(db, { ...ANY, status: [] })).toBe(0);
  expect(countContracts(db, { ...ANY, status: null })).toBe(
    db.raw.prepare('SELECT count(*) FROM contracts').pluck().get(),
  );
}

test('whatever happens to contracts, in any order', () => {
  const { db } = aDatabase();
  const ids = Array.from({ length: 9 }, (_, i) => i + 1);
  withRequests(db, ids);
  let seed = 1;
  const any = <T>(all: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return all[seed % all.length] as T;
  };
  for (let step = 0; step < 300; step += 1) {
    const id = any(ids);
    if (any([0, 1, 2, 3]) === 0) db.raw.prepare('DELETE FROM contracts WHERE id = ?').run(id);
    else put(db, id, any(STATUSES));
    if (step % 10 === 0) expectSame(db);
  }
  expectSame(db);
});

test('those that were made before the counts began are counted by the migration', () => {
  const db = open(aFile());
  migrate(db, { migrations: MIGRATIONS.slice(0, 46) });
  withRequests(db, [1, 2, 3]);
  put(db, 1, 'SIGNED');
  put(db, 2, 'SIGNED');
  put(db, 3, 'EXPIRED');
  expect(migrate(db)).toContain('0047-contract-counts');
  expect(countContractsByStatus(db)).toEqual({ PENDING: 0, SIGNED: 2, EXPIRED: 1 });
});
