/** What is remembered of the database is never out of date, and does not grow without bound. */
import { expect, test } from 'vitest';
import { ReadMemory } from '../../src/core/calls/read-memory.js';
import { aDatabase, open } from '../db/support.js';

/** Lets the event loop turn: other connections are looked for once a turn. */
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

test('a value is read again after a change, by this connection or another', async () => {
  const { db, file } = aDatabase();
  const memory = new ReadMemory<number>(db, { sizeMax: 10 });
  let reads = 0;
  const read = () => memory.get('key', () => (reads += 1));

  expect([read(), read()]).toEqual([1, 1]);
  db.raw.exec("INSERT INTO counters VALUES ('here', 1)");
  expect([read(), read()]).toEqual([2, 2]);
  await aTurn();
  expect(read()).toBe(2);
  open(file).raw.exec("INSERT INTO counters VALUES ('there', 1)");
  await aTurn();
  expect([read(), read()]).toEqual([3, 3]);
});

test('it starts over when it is full, and lets pass what is too large for it', () => {
  const { db } = aDatabase();
  const memory = new ReadMemory<string>(db, { sizeMax: 10, sizeOf: (value) => value.length });
  const reads: string[] = [];
  const get = (key: string, value: string) => memory.get(key, () => (reads.push(key), value));

  get('a', '1234567');
  get('b', '1234567');
  get('a', '1234567');
  expect(get('large', '12345678901')).toBe('12345678901');
  get('large', '12345678901');

  expect(reads).toEqual(['a', 'b', 'a', 'large', 'large']);
});

test('what throws is not remembered', () => {
  const memory = new ReadMemory<number>(aDatabase().db, { sizeMax: 10 });
  const fail = () => {
    throw new Error('not now');
  };

  expect(() => memory.get('key', fail)).toThrow('not now');
  expect(memory.get('key', () => 1)).toBe(1);
});

test('a value that was read before a change is not kept after it', () => {
  const { db } = aDatabase();
  const memory = new ReadMemory<number>(db, { sizeMax: 10 });
  const mark = db.changeMark();
  memory.keep('key', 1, mark);
  expect(memory.known('key')).toBe(1);
  db.raw.exec("INSERT INTO counters VALUES ('here', 1)");
  memory.keep('key', 1, mark);
  expect(memory.known('key')).toBeUndefined();
});
