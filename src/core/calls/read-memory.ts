/**
 * Caches reads until anything in the database changes, in this process or another: never out of date, and fast while
 * nothing happens. When it is full it starts over.
 */
import type { Db } from '../../db/db.js';

export interface ReadMemoryOptions<V> {
  sizeMax: number;
  /** In the unit of `sizeMax`; by default every value counts as one. */
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

  /** The value of `key`. `read` may depend only on the database and the key; errors are not cached. */
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
