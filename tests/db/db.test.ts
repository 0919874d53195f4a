/** Queries are compiled once, and their parameters are what the caller says or nothing at all. */
import { describe, expect, test } from 'vitest';
import { query, sqlite } from '../../src/db/db.js';
import { rows } from '../../src/db/sql.js';
import { aDatabase } from './support.js';

const counter = query((p: { name: string }) =>
  sqlite.selectFrom('counters').selectAll().where('name', '=', p.name),
);
const insertion = query((p: { name: string; value: number }) =>
  sqlite
    .insertInto('counters')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);

describe('a query', () => {
  test('is built once, at its first use, whatever the number of its runs', () => {
    const { db } = aDatabase();
    let built = 0;
    const counted = query((p: { name: string }) => {
      built += 1;
      return sqlite.selectFrom('counters').selectAll().where('name', '=', p.name);
    });
    expect(built).toBe(0);
    for (const name of ['a', 'b', 'c']) db.all(counted, { name });
    expect(built).toBe(1);
    expect(counted.compiled().sql).toBe('select * from "counters" where "name" = ?');
  });

  test('is prepared once a connection', () => {
    const { db } = aDatabase();
    const prepared: string[] = [];
    const prepare = db.raw.prepare.bind(db.raw);
    db.raw.prepare = (sql: string) => {
      prepared.push(sql);
      return prepare(sql);
    };
    for (const name of ['a', 'b', 'c']) db.first(counter, { name });
    expect(prepared).toHaveLength(1);
  });

  test('takes its parameters by name, in whatever order and how often they stand in it', () => {
    const { db } = aDatabase();
    const twice = query((p: { b: number; a: number }) =>
      sqlite
        .selectFrom('counters')
        .select((eb) => [eb.val(p.a).as('first'), eb.val(p.b).as('second'), eb.val(p.a).as('third')]),
    );
    expect(twice.compiled().bind({ b: 2, a: 1 })).toEqual([1, 2, 1]);
    expect(db.all(twice, { a: 1, b: 2 })).toEqual([]);
  });

  test('refuses a parameter that was forgotten, and takes null for what it is', () => {
    const { db } = aDatabase();
    const forgotten = {} as { name: string };
    expect(() => db.all(counter, forgotten)).toThrow('a query parameter is undefined');
    expect(db.all(counter, { name: null as unknown as string })).toEqual([]);
  });

  test('stores booleans as 0 and 1', () => {
    expect(counter.compiled().bind({ name: true as unknown as string })).toEqual([1]);
    expect(counter.compiled().bind({ name: false as unknown as string })).toEqual([0]);
  });

  test('cannot be turned by a value: hostile text is a value', () => {
    const { db } = aDatabase();
    const name = "x'; DROP TABLE counters; --";
    db.run(insertion, { name, value: 1 });
    expect(db.first(counter, { name })).toEqual({ name, value: 1 });
  });
});

describe('the answers', () => {
  test('run tells the number of rows changed; first and all give rows', () => {
    const { db } = aDatabase();
    expect(db.run(insertion, { name: 'a', value: 1 })).toBe(1);
    expect(db.run(insertion, { name: 'a', value: 2 })).toBe(0);
    expect(db.first(counter, { name: 'a' })).toEqual({ name: 'a', value: 1 });
    expect(db.first(counter, { name: 'b' })).toBeUndefined();
    expect(db.all(counter, { name: 'a' })).toHaveLength(1);
  });

  test('insert gives the id, or undefined when a conflict let nothing in', () => {
    const { db } = aDatabase();
    const event = query((p: { key: string }) =>
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
        .onConflict((conflict) => conflict.doNothing()),
    );
    expect(db.insert(event, { key: 'a' })).toBe(1);
    expect(db.insert(event, { key: 'a' })).toBeUndefined();
    expect(db.insert(event, { key: 'b' })).toBeGreaterThan(1);
  });
});

describe('lists of changing shape', () => {
  test('give the same for the same filter, from a cache that has an end', () => {
    const { db } = aDatabase();
    for (let i = 0; i < 5; i += 1) db.run(insertion, { name: `n${i}`, value: i });
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

  test('a limit of -1 stands for all', () => {
    const { db } = aDatabase();
    for (let i = 0; i < 5; i += 1) db.run(insertion, { name: `n${i}`, value: i });
    const limited = query((p: { limit: number }) =>
      sqlite.selectFrom('counters').selectAll().limit(rows(p.limit)),
    );
    expect(db.all(limited, { limit: 2 })).toHaveLength(2);
    expect(db.all(limited, { limit: -1 })).toHaveLength(5);
  });
});

test('topics announced are told once', () => {
  const { db } = aDatabase();
  db.announce('jobs');
  db.announce('jobs');
  expect(db.takeTopics()).toEqual(['jobs']);
  expect(db.takeTopics()).toEqual([]);
});
