/** The schema defends itself: what must not be cannot be stored, whoever writes it. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.js';
import { aDatabase } from './support.js';

type Row = Record<string, string | number | null>;

let db: Db;

let names = 0;

/** Each contract has its own names at the providers. */
const insert = (table: string, given: Row) => {
  names += 1;
  const key = String(names).padStart(16, '0');
  const row = table === 'contracts' ? { key, externalId: key, ...given } : given;
  const columns = Object.keys(row);
  return db.raw
    .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    .run(...Object.values(row)).lastInsertRowid;
};

const USER: Row = {
  username: 'ada@example.org',
  passwordHash: 'none',
  firstName: 'Ada',
  lastName: 'Lovelace',
  role: 'ROLE_USER',
  enabled: 1,
  createdAt: '2026-03-02T09:14:07.250Z',
  updatedAt: '2026-03-02T09:14:07.250Z',
};
const EQUIPMENT: Row = {
  ownerId: 1,
  name: 'a',
  model: 'b',
  serialNumber: 'c',
  createdAt: 'd',
  updatedAt: 'e',
};
const REQUEST: Row = {
  ownerId: 1,
  equipmentId: 1,
  title: 't',
  description: 'd',
  status: 'new',
  statusSince: '2026-03-02T09:14:07.250Z',
  createdAt: '2026-03-02T09:14:07.250Z',
  updatedAt: '2026-03-02T09:14:07.250Z',
};
const CONTRACT: Row = {
  requestId: 1,
  status: 'PENDING',
  amount: 1,
  currency: 'eur',
  createdAt: '2026-03-02T09:14:07.250Z',
};
const SIGNED: Row = { ...CONTRACT, status: 'SIGNED', signedAt: 'now', pdfSha256: 'f00' };
const PAYMENT: Row = {
  contractId: 1,
  paymentId: 'cs_1',
  state: 'open',
  amount: 1,
  currency: 'eur',
  createdAt: 'a',
};
const JOB: Row = { kind: 'send-mail', payload: '{}', state: 'available', runAt: 'a', createdAt: 'a' };
const EVENT: Row = {
  source: 'signature',
  eventKey: 'e1',
  eventName: 'n',
  subjectId: 's',
  state: 'received',
  receivedAt: 'a',
};

const CASE: Row = {
  kind: 'payment',
  subject: 'cs_1',
  requestId: 1,
  openedAt: 'a',
  decidedAt: 'b',
  decision: 'settled',
  decidedBy: 'cli:anna',
};

const VALID: Record<string, Row> = {
  users: USER,
  equipments: EQUIPMENT,
  requests: REQUEST,
  contracts: CONTRACT,
  payments: PAYMENT,
  cases: CASE,
  jobs: JOB,
  inbox: EVENT,
};

beforeEach(() => {
  db = aDatabase().db;
  for (const table of ['users', 'equipments', 'requests']) insert(table, VALID[table] as Row);
});

describe('what is not', () => {
  test.each<[string, Row]>([
    ['users', { username: 'x', role: 'ROLE_GOD' }],
    ['users', { username: 'x', enabled: 2 }],
    ['requests', { status: 'NEW' }],
    ['requests', { status: 'waiting_signature' }],
    ['requests', { title: null }],
    ['contracts', { status: 'CANCELED' }],
    ['contracts', { signedAt: 'a pending one is not signed' }],
    ['contracts', { status: 'SIGNED' }],
    ['contracts', { status: 'SIGNED', signedAt: 'now' }],
    ['contracts', { signUrl: 'a link without signId' }],
    ['contracts', { amount: -1 }],
    ['contracts', { amount: 'twelve' }],
    ['contracts', { currency: 'euro' }],
    ['contracts', { ownPdf: 2 }],
    ['contracts', { requestId: 99 }],
    ['jobs', { kind: '' }],
    ['jobs', { state: 'dead' }],
    ['jobs', { state: 'running' }],
    ['jobs', { state: 'running', leaseUntil: 'a' }],
    ['jobs', { leaseToken: 'a', leaseUntil: 'b' }],
    ['jobs', { state: 'completed' }],
    ['jobs', { state: 'failed' }],
    ['jobs', { finishedAt: 'an available one is not finished' }],
    ['inbox', { source: 'mail' }],
    ['inbox', { state: 'lost' }],
    ['inbox', { state: 'done' }],
    ['inbox', { finishedAt: 'a received one is not finished' }],
    ['inbox', { contractId: 99 }],
  ])('%s refuses %o', (table, change) => {
    expect(() => insert(table, { ...VALID[table], ...change })).toThrow(/constraint failed|cannot store/);
  });

  test.each<[string, Row]>([
    ['payments', { state: 'refunded' }],
    ['payments', { state: 'paid' }],
    ['payments', { state: 'case' }],
    ['payments', { state: 'settled' }],
    ['payments', { paidAt: 'an open one is not paid' }],
    ['payments', { contractId: 99 }],
    ['cases', { kind: 'quarrel' }],
    ['cases', { decision: 'forgotten' }],
    ['cases', { decision: null }],
    ['cases', { decidedAt: null }],
    ['cases', { decidedBy: null }],
  ])('%s refuses %o', (table, change) => {
    insert('contracts', SIGNED);
    const row = VALID[table] as Row;
    expect(() => insert(table, { ...row, ...change })).toThrow('constraint failed');
    insert(table, row);
  });

  test.each([
    ['runs', { name: 'lunch', startedAt: 'a' }],
    ['rejectedDeliveries', { source: 'mail', reason: 'r', size: 1, address: 'a', at: 'b' }],
  ])('%s refuses %o', (table, row) => {
    expect(() => insert(table, row as Row)).toThrow('CHECK constraint failed');
  });
});

describe('what can be there once', () => {
  test.each([
    ['PENDING', 'PENDING'],
    ['PENDING', 'SIGNED'],
    ['SIGNED', 'PENDING'],
    ['SIGNED', 'SIGNED'],
  ])('a request has one living contract: %s and %s do not go together', (first, second) => {
    const row = (status: string) => (status === 'SIGNED' ? SIGNED : CONTRACT);
    insert('contracts', row(first));
    expect(() => insert('contracts', row(second))).toThrow('UNIQUE constraint failed');
  });

  test('beside any number of dead ones', () => {
    for (let i = 0; i < 3; i += 1) insert('contracts', { ...CONTRACT, status: 'EXPIRED' });
    insert('contracts', CONTRACT);
    expect(() =>
      db.raw.prepare("UPDATE contracts SET status = 'PENDING' WHERE status = 'EXPIRED'").run(),
    ).toThrow('UNIQUE constraint failed');
  });

  test.each<[string, Row, Row]>([
    ['users', { ...USER }, { ...USER, username: 'ADA@example.ORG' }],
    ['equipments', EQUIPMENT, EQUIPMENT],
    ['contracts', { ...CONTRACT, status: 'EXPIRED', signId: 's' }, { ...CONTRACT, signId: 's' }],
    ['jobs', { ...JOB, uniqueKey: 'k' }, { ...JOB, uniqueKey: 'k' }],
    ['inbox', EVENT, EVENT],
    ['cases', CASE, CASE],
  ])('%s: %o', (table, first, second) => {
    if (table !== 'users' && table !== 'equipments') insert(table, first);
    expect(() => insert(table, second)).toThrow('UNIQUE constraint failed');
  });

  test('a payment’s id', () => {
    insert('contracts', SIGNED);
    insert('payments', PAYMENT);
    expect(() => insert('payments', PAYMENT)).toThrow('UNIQUE');
    insert('payments', { ...PAYMENT, paymentId: 'cs_2' });
  });

  test('but the same serial number of another owner, the same event key of another source, and jobs without a key', () => {
    insert('users', { ...USER, username: 'bob@example.org' });
    insert('equipments', { ...EQUIPMENT, ownerId: 2 });
    insert('inbox', EVENT);
    insert('inbox', { ...EVENT, source: 'payment' });
    insert('jobs', JOB);
    insert('jobs', JOB);
  });
});

test('letter case counts in a signId', () => {
  insert('contracts', { ...CONTRACT, status: 'EXPIRED', signId: 'abc' });
  insert('contracts', { ...CONTRACT, signId: 'ABC' });
});

test('a reference is made from year and id, and cannot be written', () => {
  expect(db.raw.prepare('SELECT reference FROM requests').get()).toEqual({ reference: 'REQ-2026-000001' });
  expect(() => db.raw.prepare("UPDATE requests SET reference = 'x'").run()).toThrow('generated column');
});

test('ids of users, requests and contracts are never used twice', () => {
  for (const table of ['users', 'equipments', 'requests', 'contracts', 'payments', 'inbox', 'history']) {
    const { sql } = db.raw.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table) as {
      sql: string;
    };
    expect(sql).toContain('AUTOINCREMENT');
  }
});

test('an equipment or owner that is in use cannot go', () => {
  expect(() => db.raw.exec('DELETE FROM equipments')).toThrow('FOREIGN KEY constraint failed');
  expect(() => db.raw.exec('DELETE FROM users')).toThrow('FOREIGN KEY constraint failed');
});

test('every table is strict: it keeps to its types', () => {
  const tables = db.raw
    .prepare(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    .all() as { name: string; strict: number }[];
  expect(tables.length).toBeGreaterThan(10);
  expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
});

test('no constraint makes a table in memory for each row that is written', () => {
  const tables = db.raw
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%CHECK%'")
    .all() as {
    name: string;
    sql: string;
  }[];
  expect(tables.length).toBeGreaterThan(10);
  for (const { name, sql } of tables) {
    // IN with two values is compared, with more SQLite fills a table with them; OR says the same.
    expect.soft(sql.match(/CHECK \(.* IN \([^,)]*,[^,)]*,.*\)/g), name).toBeNull();
  }
});
