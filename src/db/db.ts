/**
 * One SQLite connection, and queries that are compiled once.
 *
 * Kysely builds and type-checks the SQL; better-sqlite3 runs it directly and synchronously. A unit of work is therefore
 * a plain function: it cannot wait for the network while it holds the write lock, and nothing else of the process can
 * slip in between its statements.
 */
import type Database from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type RawBuilder,
} from 'kysely';
import type { Schema } from './schema.js';

/** Builds SQL; it has no connection and runs nothing. */
export const sqlite = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Stands for a value that arrives when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A query with named parameters P and rows R, compiled at its first use. */
export interface Query<P, R> {
  readonly compiled: () => { sql: string; bind: (values: P) => unknown[] };
  readonly row?: R;
}

/**
 * Declares a query of fixed shape. `make` runs once, with stand-ins for its parameters:
 * `query((p: { id: number }) => sqlite.selectFrom('requests').selectAll().where('id', '=', p.id))`.
 */
export function query<P extends object, R>(make: (p: P) => Compilable<R>): Query<P, R> {
  let compiled: ReturnType<Query<P, R>['compiled']> | undefined;
  return {
    compiled: () => {
      compiled ??= compile(make);
      return compiled;
    },
  };
}

function compile<P extends object, R>(make: (p: P) => Compilable<R>) {
  const standIns = new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as P;
  const { sql, parameters } = make(standIns).compile();
  const bind = (values: P) =>
    parameters.map((p) => bindable(p instanceof Parameter ? values[p.name as keyof P] : p));
  return { sql, bind };
}

/** SQLite has no booleans, and `undefined` is always a forgotten value rather than a wish for NULL. */
function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) throw new TypeError('a query parameter is undefined');
  return value;
}

const dataVersion = query(() => raw(sql<{ data_version: number }>`pragma data_version`));
const ownChanges = query(() => raw(sql<{ count: number }>`select total_changes() as count`));

function raw<R>(builder: RawBuilder<R>): Compilable<R> {
  return { compile: () => builder.compile(sqlite) };
}

const DYNAMIC_STATEMENTS_MAX = 300;

export class Db {
  readonly raw: Database.Database;
  readonly #prepared = new Map<Query<never, unknown>, Database.Statement>();
  readonly #dynamic = new Map<string, Database.Statement>();
  readonly #topics = new Set<string>();
  /** The data version, while it counts as looked up. */
  #others: number | undefined;

  constructor(raw: Database.Database) {
    this.raw = raw;
  }

  /** Every row of a query. */
  all<P extends object, R>(q: Query<P, R>, values: P): R[] {
    return this.#statement(q).all(q.compiled().bind(values)) as R[];
  }

  /** The first row, or undefined. */
  first<P extends object, R>(q: Query<P, R>, values: P): R | undefined {
    return this.#statement(q).get(q.compiled().bind(values)) as R | undefined;
  }

  /** Runs a statement without rows; tells how many rows it changed. */
  run<P extends object>(q: Query<P, unknown>, values: P): number {
    return this.#statement(q).run(q.compiled().bind(values)).changes;
  }

  /** Runs an insert of one row; its id, or undefined when a conflict clause let nothing in. Quicker than RETURNING. */
  insert<P extends object>(q: Query<P, unknown>, values: P): number | undefined {
    const { changes, lastInsertRowid } = this.#statement(q).run(q.compiled().bind(values));
    return changes === 0 ? undefined : Number(lastInsertRowid);
  }

  /** Rows of a query whose shape depends on the caller (list filters); statements are cached by their text. */
  list<R>(dynamic: Compilable<R>): R[] {
    const { sql, parameters } = dynamic.compile();
    let statement = this.#dynamic.get(sql);
    if (!statement) {
      statement = this.raw.prepare(sql);
      if (this.#dynamic.size >= DYNAMIC_STATEMENTS_MAX) {
        this.#dynamic.delete(this.#dynamic.keys().next().value as string);
      }
      this.#dynamic.set(sql, statement);
    }
    return statement.all(parameters.map(bindable)) as R[];
  }

  /** Marks that the unit under way changed something listeners of `topic` wait for; they hear of it after the commit. */
  announce(topic: string): void {
    this.#topics.add(topic);
  }

  /** The topics announced since the last call. */
  takeTopics(): string[] {
    const topics = [...this.#topics];
    this.#topics.clear();
    return topics;
  }

  /** A number that changes when another connection or process has committed. */
  dataVersion(): number {
    return (this.first(dataVersion, {}) as { data_version: number }).data_version;
  }

  /**
   * Text that is another one after any change, by this connection or another. Other connections are looked for once a turn
   * of the event loop, because that takes a lock of the file.
   */
  changeMark(): string {
    if (this.#others === undefined) {
      this.#others = this.dataVersion();
      setImmediate(() => (this.#others = undefined));
    }
    return `${this.#others}:${this.first(ownChanges, {})?.count}`;
  }

  close(): void {
    this.#prepared.clear();
    this.#dynamic.clear();
    this.raw.close();
  }

  #statement<P, R>(q: Query<P, R>): Database.Statement {
    const key = q as Query<never, unknown>;
    let statement = this.#prepared.get(key);
    if (!statement) {
      statement = this.raw.prepare(q.compiled().sql);
      this.#prepared.set(key, statement);
    }
    return statement;
  }
}
