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
  type CompiledQuery,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import type { Schema } from './schema.js';

const PLACEHOLDER = '+?';

/**
 * Parameters are written as expressions. SQLite looks at the value of a bare one when it plans, and so plans again on
 * each call, which takes longer than most queries.
 */
class StableQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return PLACEHOLDER;
  }
}

/** Builds SQL; it has no connection and runs nothing. */
export const sqlite = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StableQueryCompiler(),
  },
});

/** Builds a query with named parameters P and rows R. It runs once, with stand-ins for the parameters. */
export type Make<P, R> = (p: P) => Compilable<R>;

/** A query is a function of a connection and its parameters, if any. */
export type Call<P, Answer> = (db: Db, ...values: [keyof P] extends [never] ? [] : [values: P]) => Answer;

/** Every row. */
export const all = <P extends object, R>(make: Make<P, R>) =>
  called(make, (statement, values) => statement.all(values));

/** The first row, or undefined. */
export const first = <P extends object, R>(make: Make<P, R>) =>
  called(make, (statement, values) => statement.get(values));

/** A row that must exist; throws otherwise. */
export const required = <P extends object, R>(make: Make<P, R>) =>
  called(make, (statement, values) => {
    const row = statement.get(values);
    if (row !== undefined) return row;
    // Numbers only: a text may be a secret.
    const ids = values.filter((value) => typeof value === 'number');
    throw new Error(`no row where one must be (${ids.join()}): ${statement.source}`);
  });

/** Whether there is any row. */
export const exists = <P extends object>(make: Make<P, unknown>) =>
  called(make, (statement, values) => statement.get(values) !== undefined);

/** The number of rows changed. */
export const run = <P extends object>(make: Make<P, unknown>) =>
  called(make, (statement, values) => statement.run(values).changes);

/** Whether a row was changed. */
export const changed = <P extends object>(make: Make<P, unknown>) =>
  called(make, (statement, values) => statement.run(values).changes === 1);

/** The inserted row's id. Faster than RETURNING. */
export const insert = <P extends object>(make: Make<P, unknown>) =>
  called(make, (statement, values) => Number(statement.run(values).lastInsertRowid));

/** The inserted row's id, or undefined after a conflict. */
export const insertOnce = <P extends object>(make: Make<P, unknown>) =>
  called(make, (statement, values) => {
    const { changes, lastInsertRowid } = statement.run(values);
    return changes === 0 ? undefined : Number(lastInsertRowid);
  });

/** Compiled on the first call, prepared once per connection; only the named parameters are bound. */
function called<P extends object, R, Answer>(
  make: Make<P, R>,
  answer: (statement: Database.Statement<[unknown[]], R>, values: unknown[]) => Answer,
): Call<P, Answer> {
  let declared: Declared<P> | undefined;
  const statements = new WeakMap<Db, Database.Statement<[unknown[]], R>>();
  return (db, values?: P) => {
    declared ??= declare(make(standIns as P).compile());
    let statement = statements.get(db);
    if (!statement) {
      statement = db.raw.prepare<[unknown[]], R>(declared.sql);
      statements.set(db, statement);
    }
    const bound = declared.names.map((name) => bindable(values?.[name]));
    return answer(statement, bound);
  };
}

/** Stands for a value that arrives when the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const standIns: object = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

interface Declared<P> {
  sql: string;
  names: (keyof P)[];
}

/** Constants become part of the text, so that partial indexes are found by them. */
function declare<P>({ sql: text, parameters }: CompiledQuery): Declared<P> {
  const names: (keyof P)[] = [];
  const [start, ...parts] = text.split(PLACEHOLDER);
  const written = parts.map((part, i) => {
    const value = parameters[i];
    if (!(value instanceof Parameter)) return `${literal(value)}${part}`;
    names.push(value.name as keyof P);
    return `${PLACEHOLDER}${part}`;
  });
  return { sql: [start, ...written].join(''), names };
}

function literal(constant: unknown): string {
  const value = bindable(constant);
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** SQLite has neither booleans nor lists, and `undefined` is always a forgotten value, never NULL. */
function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  if (value === undefined) throw new TypeError('a query parameter is undefined');
  return value;
}

/** A statement that Kysely has no builder for. */
export function raw<R>(builder: RawBuilder<R>): Compilable<R> {
  return { compile: () => builder.compile(sqlite) };
}

const findDataVersion = required(() => raw(sql<{ data_version: number }>`pragma data_version`));
const countOwnChanges = required(() => raw(sql<{ count: number }>`select total_changes() as count`));

const DYNAMIC_STATEMENTS_MAX = 300;

export class Db {
  readonly raw: Database.Database;
  readonly #dynamic = new Map<string, Database.Statement>();
  readonly #topics = new Set<string>();
  /** To call after the commit. A unit that is undone takes back what it has added. */
  readonly afterCommit: (() => void)[] = [];
  /** The data version, cached for one turn of the event loop. */
  #others: number | undefined;

  constructor(raw: Database.Database) {
    this.raw = raw;
  }

  /** Rows of a query whose shape depends on the caller (list filters); statements are cached by their text. */
  list<R>(dynamic: Compilable<R>): R[] {
    const { sql, parameters } = dynamic.compile();
    let statement = this.#dynamic.get(sql);
    if (!statement) {
      statement = this.raw.prepare(sql);
      if (this.#dynamic.size >= DYNAMIC_STATEMENTS_MAX) {
        const [oldest = ''] = this.#dynamic.keys();
        this.#dynamic.delete(oldest);
      }
      this.#dynamic.set(sql, statement);
    }
    return statement.all(parameters.map(bindable)) as R[];
  }

  /** How many rows there are of a query whose shape depends on the caller. */
  count<T extends keyof Schema>(some: SelectQueryBuilder<Schema, T, object>): number {
    const [row] = this.list(some.select((eb) => eb.fn.countAll<number>().as('count')));
    return row?.count ?? 0;
  }

  /** The number that SQLite answers to it. */
  pragma(text: string): number {
    return Number(this.raw.pragma(text, { simple: true }));
  }

  /** Notifies listeners of `topic` after the current unit's commit. */
  announce(topic: string): void {
    this.#topics.add(topic);
  }

  /** The topics announced since the last call. */
  clearTopics(): string[] {
    const topics = [...this.#topics];
    this.#topics.clear();
    return topics;
  }

  /** A number that changes when another connection or process has committed. */
  dataVersion(): number {
    return findDataVersion(this).data_version;
  }

  /**
   * A text that differs after any change, by this connection or another. Other connections are checked once per turn
   * of the event loop, because that takes a file lock.
   */
  changeMark(): string {
    if (this.#others === undefined) {
      this.#others = this.dataVersion();
      setImmediate(() => (this.#others = undefined));
    }
    return `${this.#others}:${countOwnChanges(this).count}`;
  }

  close(): void {
    this.#dynamic.clear();
    this.raw.close();
  }
}
