/** Queries are compiled once, and their parameters are what the caller says or nothing at all. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  all,
  changed,
  exists,
  first,
  insert,
  insertOnce,
  raw,
  required,
  run,
  sqlite,
  type Db,
} from '../../src/db/db.js';
import { anyOf } from '../../src/db/sql.js';
import { aDatabase, aRecorder, type Run } from './support.js';

const byName = (p: { name: string }) => sqlite.selectFrom('counters').selectAll().where('name', '=', p.name);
const listCounters = all(byName);
const findCounter = first(byName);
const insertion = (p: { name: string; value: number }) =>
  sqlite
    .insertInto('counters')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing());
const insertCounter = run(insertion);

/** What a call gives to SQLite. */
function asked<P>(call: (db: Db, values: P) => unknown, values: P): Run | undefined {
  const { db, runs } = aRecorder({});
  call(db, values);
  return runs[0];
}

describe('a query', () => {
  test('is built once, at its first use, whatever the number of its runs', () => {
    const { db } = aDatabase();
    let built = 0;
    const counted = all((p: { name: string }) => {
      built += 1;
      return byName(p);
    });
    expect(built).toBe(0);
    for (const name of ['a', 'b', 'c']) counted(db, { name });
    expect(built).toBe(1);
    expect(asked(counted, { name: 'a' })?.sql).toBe('select * from "counters" where "name" = +?');
    expect(built).toBe(1);
  });

  test('has its constants in its text, as a partial index wants them; only what varies is bound', () => {
    const constant = { name: "it's", isOn: true, list: ['a'], value: null, count: 2 };
    const query = all((p: { name: string }) =>
      raw(sql`select ${sql.join([...Object.values(constant), p.name, constant.name])}`),
    );
    const asking = asked(query, { name: 'a' });
    expect(asking?.sql).toBe(`select 'it''s', 1, '["a"]', null, 2, +?, 'it''s'`);
    expect(asking?.parameters).toEqual(['a']);
  });

  test('is prepared once a connection', () => {
    const { db } = aDatabase();
    const prepared: string[] = [];
    const prepare = db.raw.prepare.bind(db.raw);
    db.raw.prepare = (sql: string) => {
      prepared.push(sql);
      return prepare(sql);
    };
    for (const name of ['a', 'b', 'c']) findCounter(db, { name });
    expect(prepared).toHaveLength(1);
    const other = aDatabase().db;
    insertCounter(other, { name: 'a', value: 1 });
    expect([findCounter(other, { name: 'a' })?.value, findCounter(db, { name: 'a' })]).toEqual([
      1,
      undefined,
    ]);
  });

  test('takes its parameters by name, in whatever order and how often they stand in it', () => {
    const { db } = aDatabase();
    const twice = all((p: { b: number; a: number }) =>
      sqlite
        .selectFrom('counters')
        .select((eb) => [eb.val(p.a).as('first'), eb.val(p.b).as('second'), eb.val(p.a).as('third')]),
    );
    expect(asked(twice, { b: 2, a: 1 })?.parameters).toEqual([1, 2, 1]);
    expect(twice(db, { a: 1, b: 2 })).toEqual([]);
  });

  test('without parameters is called without them', () => {
    const { db } = aDatabase();
    insertCounter(db, { name: 'a', value: 1 });
    expect(all(() => sqlite.selectFrom('counters').select('name'))(db)).toEqual([{ name: 'a' }]);
  });

  test('refuses a parameter that was forgotten, and takes null for what it is', () => {
    const { db } = aDatabase();
    const forgotten = {} as { name: string };
    expect(() => listCounters(db, forgotten)).toThrow('a query parameter is undefined');
    expect(listCounters(db, { name: null as unknown as string })).toEqual([]);
  });

  test('stores booleans as 0 and 1', () => {
    expect(asked(listCounters, { name: true as unknown as string })?.parameters).toEqual([1]);
    expect(asked(listCounters, { name: false as unknown as string })?.parameters).toEqual([0]);
  });

  test('takes lists of every length', () => {
    const { db } = aDatabase();
    for (let i = 0; i < 5; i += 1) insertCounter(db, { name: `n${i}`, value: i });
    const among = all((p: { names: readonly string[] }) =>
      sqlite.selectFrom('counters').select('value').where('name', 'in', anyOf(p.names)),
    );
    expect(among(db, { names: [] })).toEqual([]);
    expect(among(db, { names: ['n3', 'x', 'n1'] })).toEqual([{ value: 1 }, { value: 3 }]);
  });

  test('cannot be turned by a value: hostile text is a value', () => {
    const { db } = aDatabase();
    const name = "x'; DROP TABLE counters; --";
    insertCounter(db, { name, value: 1 });
    expect(findCounter(db, { name })).toEqual({ name, value: 1 });
  });
});

describe('the answers', () => {
  test('run tells the number of rows changed; first and all give rows', () => {
    const { db } = aDatabase();
    expect(insertCounter(db, { name: 'a', value: 1 })).toBe(1);
    expect(insertCounter(db, { name: 'a', value: 2 })).toBe(0);
    expect(findCounter(db, { name: 'a' })).toEqual({ name: 'a', value: 1 });
    expect(findCounter(db, { name: 'b' })).toBeUndefined();
    expect(listCounters(db, { name: 'a' })).toHaveLength(1);
  });

  test('changed returns whether the row changed, exists whether there is one', () => {
    const { db } = aDatabase();
    expect(changed(insertion)(db, { name: 'a', value: 1 })).toBe(true);
    expect(changed(insertion)(db, { name: 'a', value: 2 })).toBe(false);
    expect(exists(byName)(db, { name: 'a' })).toBe(true);
    expect(exists(byName)(db, { name: 'b' })).toBe(false);
  });

  test('required gives the row, and says which query found none, but no text it looked for', () => {
    const { db } = aDatabase();
    insertCounter(db, { name: 'a', value: 1 });
    expect(required(byName)(db, { name: 'a' })).toEqual({ name: 'a', value: 1 });
    expect(() => required(byName)(db, { name: 'secret' })).toThrow(
      /^no row where one must be \(\): select \* from "counters" where "name" = \+\?$/,
    );
    const byId = (p: { id: number }) => sqlite.selectFrom('jobs').select('id').where('id', '=', p.id);
    expect(() => required(byId)(db, { id: 7 })).toThrow(
      'no row where one must be (7): select "id" from "jobs"',
    );
  });

  test('insert gives the id, insertOnce also undefined when a conflict let nothing in', () => {
    const { db } = aDatabase();
    const event = (p: { key: string }) =>
      sqlite
        .insertInto('inbox')
        .values({
          source: 'signature',
          eventKey: p.key,
          eventName: 'n',
          subjectId: 's',
          contractId: null,
          body: null,
          state: 'received',
          outcome: null,
          receivedAt: 'now',
          finishedAt: null,
        })
        .onConflict((conflict) => conflict.doNothing());
    expect(insertOnce(event)(db, { key: 'a' })).toBe(1);
    expect(insertOnce(event)(db, { key: 'a' })).toBeUndefined();
    expect(insertOnce(event)(db, { key: 'b' })).toBeGreaterThan(1);
    expect(insert(event)(db, { key: 'c' })).toBeGreaterThan(2);
  });
});

describe('lists of changing shape', () => {
  test('give the same for the same filter, from a cache that has an end', () => {
    const { db } = aDatabase();
    for (let i = 0; i < 5; i += 1) insertCounter(db, { name: `n${i}`, value: i });
    for (let round = 0; round < 2; round += 1) {
      for (let columns = 1; columns <= 320; columns += 1) {
        const names = Array.from({ length: columns }, (_, i) => `n${i}`);
        const found = db.list(sqlite.selectFrom('counters').select('value').where('name', 'in', names));
        expect(found).toHaveLength(Math.min(columns, 5));
      }
    }
  });

  test('refuse a forgotten value too', () => {
    const { db } = aDatabase();
    const list = sqlite
      .selectFrom('counters')
      .selectAll()
      .where('name', '=', undefined as unknown as string);
    expect(() => db.list(list)).toThrow('a query parameter is undefined');
  });

  test('a limit of -1 means all', () => {
    const { db } = aDatabase();
    for (let i = 0; i < 5; i += 1) insertCounter(db, { name: `n${i}`, value: i });
    const limited = all((p: { limit: number }) => sqlite.selectFrom('counters').selectAll().limit(p.limit));
    expect(limited(db, { limit: 2 })).toHaveLength(2);
    expect(limited(db, { limit: -1 })).toHaveLength(5);
  });
});

test('announced topics are delivered once', () => {
  const { db } = aDatabase();
  db.announce('jobs');
  db.announce('jobs');
  expect(db.clearTopics()).toEqual(['jobs']);
  expect(db.clearTopics()).toEqual([]);
});
