/** The schema is made or brought up whole or not at all, by one process at a time, and never down. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { typesOf } from '../../ops/schema/types.js';
import { SchemaError, migrate, missingMigrations, versionOf, type Versions } from '../../src/db/migrate.js';
import { MIGRATIONS, type Migration } from '../../src/db/migrations/index.js';
import { dueAtOf } from '../../src/core/requests/due-date.js';
import { requireRequest } from '../../src/db/requests/requests.js';
import type { Db } from '../../src/db/db.js';
import { otherProcess } from '../support/other-process.js';
import { aFile, open } from './support.js';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const SCHEMA = read('../../src/db/schema.sql');
const FIRST = 49;
const NEWEST = MIGRATIONS.at(-1)?.version;

const tables = (db: Db) =>
  db.raw.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'").get();

const TWO: Migration = { version: 2, name: '0002-two', sql: 'ALTER TABLE one ADD COLUMN b DEFAULT 2' };
const BROKEN: Migration = { version: 3, name: '0003-broken', sql: 'CREATE TABLE three (a); SELECT nonsense' };
const versions = (...migrations: Migration[]): Versions => ({
  first: 1,
  migrations,
  whole: () => 'CREATE TABLE one (a); INSERT INTO one VALUES (1)',
});

describe('the schema', () => {
  test('is the one from which the types of the rows were written (npm run schema)', () => {
    expect(read('../../src/db/schema.ts')).toBe(typesOf(SCHEMA));
  });

  test('holds no trigger and no view but those of the search', () => {
    const triggers = [...SCHEMA.matchAll(/CREATE TRIGGER (\w+)/g)].map(([, name]) => name as string);
    expect(triggers.length).toBeGreaterThan(5);
    expect(triggers.filter((name) => !/^(customer|equipment|request)Words/.test(name))).toEqual([]);
    expect(SCHEMA.match(/CREATE VIEW (\w+)/g)).toEqual([
      'CREATE VIEW customerTexts',
      'CREATE VIEW requestTexts',
    ]);
  });

  test('is numbered like the newest migration, and these have no gap', () => {
    const db = open(aFile());
    expect(missingMigrations(db)).toMatchObject([{ version: NEWEST }]);
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => FIRST + 1 + i));
    for (const { name, version } of MIGRATIONS) expect(Number(name.slice(0, 4))).toBe(version);
  });
});

describe('migrate', () => {
  test('makes a new database whole, and finds nothing to do the second time', () => {
    const db = open(aFile());
    expect(migrate(db)).toEqual(['schema']);
    expect(versionOf(db)).toBe(NEWEST);
    const made = tables(db);
    expect(migrate(db)).toEqual([]);
    expect(tables(db)).toEqual(made);
    expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() => db.raw.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified');
  });

  test('runs only what is missing, in order, and keeps what is there', () => {
    const db = open(aFile());
    migrate(db, { versions: versions() });
    expect(missingMigrations(db, versions(TWO))).toEqual([TWO]);
    expect(migrate(db, { versions: versions(TWO) })).toEqual(['0002-two']);
    expect(db.raw.prepare('SELECT * FROM one').all()).toEqual([{ a: 1, b: 2 }]);
  });

  test('refuses a database that a newer version has made, and leaves it as it is', () => {
    const db = open(aFile());
    migrate(db, { versions: versions(TWO) });
    expect(() => migrate(db, { versions: versions() })).toThrow(SchemaError);
    expect(() => migrate(db, { versions: versions() })).toThrow(
      'has schema 2, this program knows schemas up to 1',
    );
    expect(versionOf(db)).toBe(2);
  });

  test('refuses one that is older than the first, in one sentence, and leaves it as it is', () => {
    const db = open(aFile());
    db.raw.exec('CREATE TABLE one (a)');
    db.raw.pragma(`user_version = ${FIRST - 1}`);
    expect(() => migrate(db)).toThrow(SchemaError);
    expect(() => migrate(db)).toThrow(
      'The database has schema 48, and this program opens schemas from 49 on: no released version has made it.',
    );
    expect([versionOf(db), tables(db)]).toEqual([FIRST - 1, { n: 1 }]);
  });

  test('that fails half-way leaves the old schema, version and all', () => {
    const db = open(aFile());
    migrate(db, { versions: versions() });
    expect(() => migrate(db, { versions: versions(TWO, BROKEN) })).toThrow('nonsense');
    expect(versionOf(db)).toBe(1);
    expect(db.raw.prepare('SELECT * FROM one').all()).toEqual([{ a: 1 }]);
    expect(tables(db)).toEqual({ n: 1 });
    expect(db.raw.inTransaction).toBe(false);
    expect(migrate(db, { versions: versions(TWO) })).toEqual(['0002-two']);
  });

  test('of two processes at once one does it, the other waits and finds nothing to do', async () => {
    const file = aFile();
    const db = open(file, 5_000);
    const other = otherProcess(
      `const db = new Database(args[0]);
       db.exec('BEGIN IMMEDIATE');
       say('begun');
       await pause(150);
       db.exec(args[1]);
       db.pragma('user_version = ' + args[2]);
       db.exec('COMMIT');`,
      file,
      SCHEMA,
      String(NEWEST),
    );
    await other.hear();
    expect(migrate(db)).toEqual([]);
    expect(versionOf(db)).toBe(NEWEST);
  });
});

/** What each table, index, view and trigger consists of, in whatever order its columns stand. */
function partsOf(db: Db): Record<string, string[]> {
  const rows = db.raw
    .prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
    .all() as { name: string; sql: string }[];
  return Object.fromEntries(rows.map(({ name, sql }) => [name, partsIn(sql)]));
}

function partsIn(sql: string): string[] {
  const plain = sql
    .replaceAll(/--.*/g, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;]) ?/g, '$1')
    .trim();
  if (!plain.startsWith('CREATE TABLE')) return [plain];
  const inside = plain.slice(plain.indexOf('(') + 1, plain.lastIndexOf(')'));
  let depth = 0;
  const parts = [''];
  for (const letter of inside) {
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
  }
  return [...parts.sort(), plain.slice(plain.lastIndexOf(')') + 1)];
}

describe('a database of version 49', () => {
  const AT = '2026-03-02T09:14:07.250Z';
  const PAID = { status: 'paid', paidAt: AT };
  const PROVIDERS =
    "'a1b2c3d4e5f60718', 'esign-0123456789abcdef-a1b2c3d4e5f60718', 'esign-0123456789abcdef-a1b2c3d4e5f60718-1'";

  function anOldOne(): Db {
    const db = open(aFile());
    db.raw.exec(read('version-49.sql'));
    db.raw.exec(`
      INSERT INTO users (id, username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt) VALUES
        (1, 'anna@example.org', 'none', 'Anna', 'Ott', 'ROLE_USER', 1, '${AT}', '${AT}'),
        (2, 'thi@example.org', 'none', 'Thị', 'Nguyễn', 'ROLE_USER', 1, '${AT}', '${AT}');
      INSERT INTO equipments (id, ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES
        (1, 1, 'Boiler', 'B', 'SN-1', '${AT}', '${AT}'), (2, 2, 'Boiler', 'B', 'SN-2', '${AT}', '${AT}');
      INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince) VALUES
        (1, 1, 1, 'Yearly', 'd', 'new', '${AT}', '${AT}', '${AT}'),
        (2, 2, 2, 'Yearly', 'd', 'new', '${AT}', '${AT}', '${AT}'),
        (3, 1, 1, 'Yearly', 'd', 'WAITING_SIGNATURE', '${AT}', '${AT}', '${AT}'),
        (4, 1, 1, 'Yearly', 'd', 'new', '${AT}', '${AT}', '${AT}'),
        (5, 1, 1, 'Yearly', 'd', 'in_progress', '${AT}', '${AT}', '${AT}');
      INSERT INTO contracts (requestId, status, signId, signerId, amount, currency, createdAt, expiredAt, key, externalId, paymentKey)
        VALUES (3, 'PENDING', 'sign', 'signer', 12000, 'eur', '${AT}', '2026-04-01T23:59:59.000Z', ${PROVIDERS});
      INSERT INTO contracts (requestId, status, activationAskedAt, amount, currency, createdAt, key, externalId, paymentKey) VALUES
        (4, 'PENDING', '${AT}', 1, 'eur', '${AT}', 'b1b2c3d4e5f60718', 'esign-b', 'pay-b'),
        (5, 'PENDING', NULL, 1, 'eur', '${AT}', 'c1b2c3d4e5f60718', 'esign-c', 'pay-c');
      INSERT INTO jobs (id, kind, payload, state, attempt, runAt, createdAt, lane) VALUES
        (1, 'deliver-webhook', '{"deliveryId":1}', 'available', 1, '${AT}', '${AT}', 'lane');
      UPDATE jobs SET state = 'running', leaseUntil = '${AT}', leaseToken = 't', leasePid = 4711;
      INSERT INTO jobs (id, kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError)
        VALUES (2, 'send-mail', '{}', 'failed', 7, '${AT}', '${AT}', '${AT}', 'no');
      INSERT INTO locks (name, token, pid, until) VALUES ('request:1', 't', 4711, '${AT}');
      INSERT INTO history (at, requestId, actor, what, detail) VALUES ('${AT}', 1, 'webhook', 'request.created', '{}');
      INSERT INTO runs (name, startedAt, finishedAt, result) VALUES ('expire', '${AT}', '${AT}', '{}');`);
    return db;
  }

  test('gets the schema of a new one, however its columns are ordered', () => {
    const [db, fresh] = [anOldOne(), open(aFile())];
    migrate(fresh);
    expect(migrate(db)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(partsOf(db)).toEqual(partsOf(fresh));
    expect(versionOf(db)).toBe(versionOf(fresh));
  });

  test('keeps its rows, which satisfy the constraints and are found', () => {
    const db = anOldOne();
    migrate(db);
    const all = (sql: string) => db.raw.prepare(sql).raw().all();
    expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.raw.pragma('foreign_key_check')).toEqual([]);
    expect(all('SELECT id, status, dueAt FROM requests ORDER BY id')).toEqual([
      [1, 'new', null],
      [2, 'new', AT],
      [3, 'WAITING_SIGNATURE', '2026-04-01T23:59:59.000Z'],
      [4, 'new', AT],
      [5, 'in_progress', AT],
    ]);
    expect(all('SELECT requestId, externalId, draftSha256, refusal FROM contracts')).toEqual([
      [3, 'esign-0123456789abcdef-a1b2c3d4e5f60718', null, null],
      [4, 'esign-b', null, null],
      [5, 'esign-c', null, null],
    ]);
    expect(all('SELECT requestId, sending FROM contracts ORDER BY id')).toEqual([
      [3, 'sent'],
      [4, 'asked'],
      [5, 'unsent'],
    ]);
    expect(all('SELECT id, state, leaseHolder, lane FROM jobs')).toEqual([
      [1, 'running', null, 'lane'],
      [2, 'failed', null, null],
    ]);
    expect(all('SELECT name, dueAt, running FROM lanes')).toEqual([['lane', null, 1]]);
    expect(all('SELECT count(*) FROM locks')).toEqual([[0]]);
    expect(all('SELECT id FROM installation')).toEqual([['0123456789abcdef']]);
    expect(all('SELECT rowid FROM requestWords WHERE requestWords MATCH \'"sn-"\'')).toHaveLength(5);
  });

  test('has in columns and cases what its history told of contracts, with what has decided since', () => {
    const db = anOldOne();
    const contract = (id: number, requestId: number, signId: string) =>
      db.raw
        .exec(`INSERT INTO contracts (id, requestId, status, signId, amount, currency, createdAt, key, externalId, paymentKey)
        VALUES (${id}, ${requestId}, 'EXPIRED', '${signId}', 1, 'eur', '${AT}', '${String(id).padStart(16, 'a')}', 'name-${id}', 'pay-${id}')`);
    const told = (contractId: number, requestId: number, what: string, detail = {}, actor = 'webhook') =>
      db.raw
        .prepare(
          `INSERT INTO history (at, requestId, contractId, actor, what, detail) VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(AT, requestId, contractId, actor, what, JSON.stringify(detail));
    for (const [id, request] of [
      [10, 1],
      [11, 1],
      [12, 2],
      [13, 2],
    ] as const)
      contract(id, request, `sign-${id}`);
    told(10, 1, 'contract.signed_late', { signedAt: AT });
    told(10, 1, 'contract.late_accepted', { reason: 'they called' }, 'cli:root');
    told(10, 1, 'request.moved', { from: 'WAITING_SIGNATURE', to: 'WAITING_PAYMENT' }, 'cli:root');
    told(11, 1, 'contract.ended', { reason: 'request_canceled' });
    told(11, 1, 'contract.canceled_signed');
    told(12, 2, 'contract.foreign_signature', { signId: 'sign-12', externalId: null });
    told(12, 2, 'contract.signer_error');
    told(12, 2, 'contract.ended', { reason: 'declined', declineReason: 'too dear' });
    told(12, 2, 'contract.ended', { reason: 'reset', declineReason: '' });
    told(13, 2, 'contract.ended', { reason: 'declined', declineReason: 'not mine' });
    told(12, 2, 'signature.reminded');
    told(13, 2, 'contract.created');
    told(13, 2, 'contract.signer_refused');
    told(13, 2, 'contract.signer_corrected');
    told(13, 2, 'contract.signer_refused');
    told(12, 2, 'contract.replaced_signed', { by: 13 });
    told(3, 3, 'contract.ended', { reason: 'nonsense' });
    // Of a request that was removed, only the history is left.
    told(88, 77, 'payment.old_session_paid', { paymentId: 'cs_removed' });
    told(88, 77, 'contract.signed_late');
    db.raw.exec(`INSERT INTO unknownSignatures (signId, externalId, status, name, seenAt, settledAt) VALUES
      ('second', 'name-13', 'ongoing', 'Ours', '${AT}', NULL), ('lost', 'name-99', 'done', NULL, '${AT}', '${AT}')`);
    migrate(db);
    const all = (sql: string) => db.raw.prepare(sql).raw().all();
    expect(all('SELECT id, endReason, told, failedSigningAt FROM contracts WHERE id >= 10')).toEqual([
      [10, 'date_passed', 'late', null],
      [11, 'request_canceled', 'elsewhere', null],
      [12, 'reset', 'elsewhere', AT],
      [13, 'declined', null, null],
    ]);
    expect(all('SELECT id, endedAt, declineReason, correctedAt FROM contracts WHERE id >= 10')).toEqual([
      // Of an end that the history does not tell, the last moment to sign is the nearest.
      [10, AT, null, null],
      [11, AT, null, null],
      [12, AT, null, null],
      [13, AT, 'not mine', AT],
    ]);
    expect(all("SELECT count(*) FROM contracts WHERE status <> 'EXPIRED' AND endedAt IS NOT NULL")).toEqual([
      [0],
    ]);
    expect(all('SELECT id, remindedAt FROM requests WHERE id <= 2')).toEqual([
      [1, null],
      [2, AT],
    ]);
    expect(all("SELECT DISTINCT endReason FROM contracts WHERE status = 'PENDING'")).toEqual([[null]]);
    expect(
      all('SELECT kind, subject, requestId, contractId, decision, decidedBy, reason FROM cases ORDER BY id'),
    ).toEqual([
      ['signed_late', '10', 1, 10, 'accepted', 'cli:root', 'they called'],
      ['canceled_signed', '11', 1, 11, null, null, null],
      ['foreign_signature', 'sign-12', 2, 12, 'overtaken', 'webhook', null],
      ['recipient_refused', '13', 2, 13, null, null, null],
      ['replaced_signed', '12', 2, 12, null, null, null],
      ['unknown_document', 'second', 2, 13, null, null, null],
      ['unknown_document', 'lost', null, null, 'settled', 'system', null],
    ]);
    expect(all("SELECT detail FROM cases WHERE subject = 'second'")).toEqual([
      ['{"externalId":"name-13","status":"ongoing","name":"Ours"}'],
    ]);
  });

  /** The last thing that the history tells happened on 2 March 2026. */
  test.each<[string, Record<string, string | number | null>, Record<string, string | number>, boolean]>([
    ['ended two months ago', {}, {}, true],
    ['ended three months ago', { expiredAt: '2025-12-01T22:59:59.000Z' }, {}, false],
    ['was never one: nobody had signed', { signedAt: null }, {}, false],
    ['goes on', { status: 'SIGNED' }, {}, false],
    ['was that of a request that was canceled', {}, { status: 'CANCELED' }, false],
    ['was followed by another request about the same equipment', {}, { nextStatus: 'new' }, false],
    ['was followed by one that was canceled', {}, { nextStatus: 'CANCELED' }, true],
    ['was that of an erased person', {}, { erasedAt: AT }, false],
    ['was followed by another contract of its request', {}, { later: 1 }, false],
  ])('opens a case for a term that %s: %j %j %s', (_, contract, around, isTold) => {
    const db = anOldOne();
    const { status, signedAt, expiredAt } = {
      status: 'EXPIRED',
      signedAt: '2025-01-05T10:00:00.000Z',
      expiredAt: '2026-01-05T22:59:59.000Z',
      ...contract,
    };
    db.raw.exec(`
      INSERT INTO equipments (id, ownerId, name, model, serialNumber, createdAt, updatedAt)
        VALUES (9, 2, 'Boiler', 'B', 'SN-9', '${AT}', '${AT}');
      INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince) VALUES
        (20, 2, 9, 'Yearly', 'd', '${around['status'] ?? 'COMPLETE'}', '${AT}', '${AT}', '${AT}');`);
    const insert = db.raw.prepare(`
      INSERT INTO contracts (id, requestId, status, signedAt, pdfSha256, expiredAt, signId, amount, currency, createdAt, key, externalId, paymentKey)
        VALUES (@id, 20, @status, @signedAt, iif(@signedAt IS NULL, NULL, 'x'), @expiredAt, @id, 1, 'eur', '${AT}', printf('%016d', @id), @id, @id)`);
    insert.run({ id: 30, status, signedAt, expiredAt });
    if ('later' in around) insert.run({ id: 31, status: 'EXPIRED', signedAt: null, expiredAt: null });
    if ('nextStatus' in around)
      db.raw
        .exec(`INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
        VALUES (21, 2, 9, 'Yearly', 'd', '${around['nextStatus']}', '${AT}', '${AT}', '${AT}')`);
    if ('erasedAt' in around) db.raw.exec(`UPDATE users SET erasedAt = '${AT}' WHERE id = 2`);
    migrate(db);
    const cases = db.raw.prepare(
      'SELECT kind, subject, requestId, contractId, openedAt, decidedAt FROM cases',
    );
    expect(cases.raw().all()).toEqual(isTold ? [['term_ends', '30', 20, 30, expiredAt, null]] : []);
  });

  /** Its state then, what the history tells of it; its state now with what was paid, and its case: how it was decided, by whom and why. */
  test.each<[string, object, [what: string, detail: object][], unknown[], unknown[]?]>([
    ['is open', {}, [], ['open', 12_000, null]],
    ['has money on its way', { pendingSince: AT }, [['pending', {}]], ['pending', 12_000, null]],
    ['was given up', { status: 'expired', pendingSince: AT, givenUpAt: AT }, [], ['given_up', 12_000, null]],
    ['is over', { status: 'expired' }, [['session_expired', {}]], ['over', 12_000, null]],
    ['the bank refused', { status: 'expired', pendingSince: AT }, [['failed', {}]], ['over', 12_000, AT]],
    ['was paid', PAID, [['received', {}]], ['paid', 12_000, null]],
    [
      'was paid through an old link',
      PAID,
      [['old_session_paid', {}]],
      ['case', 12_000, null],
      [null, null, null],
    ],
    [
      'was paid with another amount, and reported twice',
      PAID,
      [
        ['other_price', { amount: 9_900 }],
        ['other_price', { amount: 9_900 }],
      ],
      ['case', 9_900, null],
      [null, null, null],
    ],
    [
      'was paid after the cancellation, and settled',
      PAID,
      [
        ['canceled_paid', {}],
        ['request.settled', { reason: 'refunded' }],
        ['request.settled', { reason: 'again' }],
      ],
      ['settled', 12_000, null],
      ['settled', 'cli:anna', 'refunded'],
    ],
    [
      'was not among the settled ones',
      PAID,
      [
        ['canceled_paid', {}],
        ['request.settled', { reason: 'refunded', payments: ['cs_other'] }],
      ],
      ['case', 12_000, null],
      [null, null, null],
    ],
    [
      'was settled by a renewal, not by the customer’s click before it',
      PAID,
      [
        ['old_session_paid', {}],
        ['renewed', { actor: 'customer' }],
        ['renewed', { reason: 'refunded', payments: ['cs_1'] }],
      ],
      ['settled', 12_000, null],
      ['settled', 'cli:anna', 'refunded'],
    ],
    [
      'was accepted by completing the request',
      PAID,
      [
        ['old_session_paid', {}],
        ['request.moved', { to: 'COMPLETE', reason: 'it counts' }],
      ],
      ['paid', 12_000, null],
      ['accepted', 'cli:anna', 'it counts'],
    ],
    [
      'was not decided by a later payment that completed the request',
      PAID,
      [
        ['old_session_paid', {}],
        ['request.moved', { to: 'COMPLETE' }],
      ],
      ['case', 12_000, null],
      [null, null, null],
    ],
    [
      'came before the signature, and counts since',
      PAID,
      [
        ['paid_unsigned', {}],
        ['received', {}],
      ],
      ['paid', 12_000, null],
      ['overtaken', 'cli:anna', null],
    ],
  ])('brings over a payment that %s', (_, then, told, now, decided) => {
    const db = anOldOne();
    const session = { status: 'open', pendingSince: null, givenUpAt: null, paidAt: null, ...then };
    db.raw
      .prepare(
        `INSERT INTO payments (contractId, generation, paymentId, status, amount, currency, createdAt, pendingSince, givenUpAt, paidAt)
        VALUES (1, 1, 'cs_1', @status, 12000, 'eur', '${AT}', @pendingSince, @givenUpAt, @paidAt)`,
      )
      .run(session);
    const tell = db.raw.prepare(
      `INSERT INTO history (at, requestId, contractId, actor, what, detail) VALUES ('${AT}', 3, 1, ?, ?, ?)`,
    );
    for (const [word, { actor = 'cli:anna', ...detail }] of told as [string, { actor?: string }][]) {
      const isOfPayment = !word.startsWith('request.') && word !== 'renewed';
      const about = isOfPayment ? { paymentId: 'cs_1', currency: 'eur', ...detail } : detail;
      tell.run(actor, word.startsWith('request.') ? word : `payment.${word}`, JSON.stringify(about));
    }
    db.raw.exec("UPDATE requests SET status = 'WAITING_PAYMENT', payToken = 'x' WHERE id = 3");
    migrate(db);
    const request = requireRequest(db, { id: 3 });
    expect(request.dueAt).toBe(dueAtOf(db, request));
    const all = (sql: string) => db.raw.prepare(sql).raw().all();
    expect(all('SELECT state, amount, refusedAt FROM payments')).toEqual([now]);
    expect(all('SELECT pendingSince, paidAt FROM payments')).toEqual([
      [session.pendingSince, session.paidAt],
    ]);
    expect(all('SELECT subject, requestId, contractId, openedAt FROM cases')).toEqual(
      decided ? [['cs_1', 3, 1, AT]] : [],
    );
    expect(all('SELECT decision, decidedBy, reason FROM cases')).toEqual(decided ? [decided] : []);
  });

  test('refuses afterwards what a new one refuses, also for those who had the file open', () => {
    const db = anOldOne();
    const early = open(db.raw.name);
    migrate(db);
    for (const { raw } of [db, early]) {
      expect(() => raw.exec('UPDATE contracts SET externalId = NULL')).toThrow('NOT NULL');
      expect(() => raw.exec("INSERT INTO runs (name, startedAt) VALUES ('lunch', '')")).toThrow('CHECK');
      raw.exec("INSERT INTO runs (name, startedAt) VALUES ('trails', '')");
    }
  });
});
