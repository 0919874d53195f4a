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
    const known = this.known(key);
    if (known !== undefined) return known;
    const mark = this.#mark;
    const value = read();
    this.keep(key, value, mark);
    return value;
  }

  /** The value of `key`, if nothing has changed since it was read. */
  known(key: string): V | undefined {
    this.#forgetChanged();
    return this.#values.get(key);
  }

  /** Keeps a value that was read after `mark`, the database's change mark, unless anything has changed since. */
  keep(key: string, value: V, mark: string): void {
    this.#forgetChanged();
    if (mark !== this.#mark || this.#values.has(key)) return;
    const size = this.#sizeOf(value, key);
    if (size > this.#sizeMax) return;
    if (this.#size + size > this.#sizeMax) this.#forget();
    this.#values.set(key, value);
    this.#size += size;
  }

  #forgetChanged(): void {
    const mark = this.#db.changeMark();
    if (mark === this.#mark) return;
    this.#forget();
    this.#mark = mark;
  }

  #forget(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
