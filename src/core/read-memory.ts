/**
 * What was read from the database, remembered until anything in it changes, be it by this process or by another: never out
 * of date, and quick while nothing happens. Bounded: when it is full it begins anew.
 */
import type { Db } from '../db/db.js';

export interface ReadMemoryOptions<V> {
  sizeMax: number;
  /** In the unit of `sizeMax`; without it every value counts as one. */
  sizeOf?: (value: V, key: string) => number;
}

export class ReadMemory<V> {
  readonly #db: Db;
  readonly #sizeMax: number;
  readonly #sizeOf: (value: V, key: string) => number;
  readonly #values = new Map<string, V>();
  #size = 0;
  #mark = '';

  constructor(db: Db, { sizeMax, sizeOf = () => 1 }: ReadMemoryOptions<V>) {
    this.#db = db;
    this.#sizeMax = sizeMax;
    this.#sizeOf = sizeOf;
  }

  /** The value of `key`, which `read` may make of nothing but the database and the key. What it throws is not remembered. */
  get(key: string, read: () => V): V {
    const mark = this.#db.changeMark();
    if (mark !== this.#mark) this.#forget(mark);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = read();
    const size = this.#sizeOf(value, key);
    if (this.#size + size > this.#sizeMax) this.#forget(mark);
    if (size <= this.#sizeMax) {
      this.#values.set(key, value);
      this.#size += size;
    }
    return value;
  }

  #forget(mark: string): void {
    this.#values.clear();
    this.#size = 0;
    this.#mark = mark;
  }
}
