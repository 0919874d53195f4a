/** Statements on one table that are declared by its columns. The others are built with Kysely. */
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { raw, required, type Db } from './db.js';
import type { Schema } from './schema.js';
import { anyOf } from './sql.js';

type Table = keyof Schema;
type Row<T extends Table> = Selectable<Schema[T]>;
type Column<T extends Table> = string & keyof Row<T>;
/** A value for each of these columns; NULL equals nothing. */
type Equal<T extends Table, C extends Column<T>> = { [K in C]: NonNullable<Row<T>[K]> };
/** New values, and the time for the columns that are stamped with it. */
type Values<T extends Table, C extends Column<T>, S> = Pick<Row<T>, C> &
  ([S] extends [never] ? unknown : { now: string });

interface More<S extends string, Fixed> {
  /** Columns that get the time `now`. */
  stamps?: readonly S[];
  fixed?: Fixed;
  /** The end of the statement. */
  end?: RawBuilder<unknown>;
}

/** The whole rows with these values. */
export function rowsBy<T extends Table, C extends Column<T>>(table: T, ...columns: C[]) {
  return (p: Equal<T, C>) => raw(sql<Row<T>>`select * from ${sql.table(table)} where ${all(p, columns)}`);
}

/** The rows with any of these values, which are called `among`. */
export function rowsIn<T extends Table, C extends Column<T>, Among extends string>(
  table: T,
  column: C,
  among: Among,
) {
  return (p: { [A in Among]: readonly NonNullable<Row<T>[C]>[] }) =>
    raw(sql<Row<T>>`select * from ${sql.table(table)} where ${sql.ref(column)} in ${anyOf(p[among])}`);
}

/** How many these are. */
export function countIn<T extends Table, C extends Column<T>, Among extends string>(
  table: T,
  column: C,
  among: Among,
) {
  return required((p: { [A in Among]: readonly NonNullable<Row<T>[C]>[] }) =>
    raw(
      sql<{
        count: number;
      }>`select count(*) as "count" from ${sql.table(table)} where ${sql.ref(column)} in ${anyOf(p[among])}`,
    ),
  );
}

/** The highest id; 0: there is none. */
export function newestIdOf(table: Table): (db: Db) => number {
  const newest = required(() =>
    raw(sql<{ id: number | null }>`select max("id") as "id" from ${sql.table(table)}`),
  );
  return (db) => newest(db).id ?? 0;
}

/** The same, the newest first. */
export function newestBy<T extends Table, C extends Column<T>>(table: T, ...columns: C[]) {
  return (p: Equal<T, C>) =>
    raw(sql<Row<T>>`select * from ${sql.table(table)} where ${all(p, columns)} order by "id" desc`);
}

/** The same, the oldest first. */
export function oldestBy<T extends Table, C extends Column<T>>(table: T, ...columns: C[]) {
  return (p: Equal<T, C>) =>
    raw(sql<Row<T>>`select * from ${sql.table(table)} where ${all(p, columns)} order by "id"`);
}

interface Some {
  only?: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** Of the rows with these values the first `limit`. */
export function firstBy<T extends Table, const C extends Column<T> = never>(
  table: T,
  columns: readonly C[],
  { only = sql`true`, order }: Some,
) {
  return (p: Equal<T, C> & { limit: number }) =>
    raw(
      sql<
        Row<T>
      >`select * from ${sql.table(table)} where ${all(p, columns, only)} order by ${order} limit ${p.limit}`,
    );
}

/** A page of rows, by id. */
export function pageBy<T extends Table>(table: T, only = sql`true`) {
  return (p: { after: number; limit: number }) =>
    raw(
      sql<
        Row<T>
      >`select * from ${sql.table(table)} where "id" > ${p.after} and ${only} order by "id" limit ${p.limit}`,
    );
}

/** Deletes the rows with these values. */
export function deleteBy<T extends Table, C extends Column<T>>(table: T, ...columns: C[]) {
  return (p: Equal<T, C>) => raw(sql`delete from ${sql.table(table)} where ${all(p, columns)}`);
}

/** Inserts a row with these columns. */
export function newRow<T extends Table, const C extends Column<T>, const S extends Column<T> = never>(
  table: T,
  columns: readonly C[],
  { stamps = [], fixed = {}, end = sql`` }: More<S, Partial<Row<T>>> = {},
) {
  return (p: Values<T, C, S>) => {
    const values = [...valuesOf(p, columns, stamps), ...Object.entries(fixed)];
    const names = sql.join(values.map(([column]) => sql.ref(column)));
    const given = sql.join(values.map(([, value]) => value));
    return raw(sql<Row<T>>`insert into ${sql.table(table)} (${names}) values (${given}) ${end}`);
  };
}

/** The same; of one that has these values of the key already, it sets the others. */
export function putRow<T extends Table, const K extends Column<T>, const C extends Column<T>>(
  table: T,
  key: readonly K[],
  columns: readonly C[],
) {
  const names = sql.join(key.map((column) => sql.ref(column)));
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`));
  return newRow(table, [...key, ...columns], { end: sql`on conflict (${names}) do update set ${set}` });
}

/** Sets these columns of the row with an id. */
export function setById<T extends Table, const C extends Column<T>, const S extends Column<T> = never>(
  table: T,
  columns: readonly C[],
  { stamps = [], fixed = {}, end = sql`` }: More<S, Partial<Row<T>>> = {},
) {
  return (p: Values<T, C, S> & { id: number }) => {
    const set = sql.join([...valuesOf(p, columns, stamps), ...Object.entries(fixed)].map(equal));
    return raw(sql<Row<T>>`update ${sql.table(table)} set ${set} where "id" = ${p.id} ${end}`);
  };
}

function valuesOf(p: object, columns: readonly string[], stamps: readonly string[] = []) {
  return [
    ...columns.map((column): [string, unknown] => [column, Reflect.get(p, column)]),
    ...stamps.map((column): [string, unknown] => [column, Reflect.get(p, 'now')]),
  ];
}

function all(p: object, columns: readonly string[], ...more: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([...valuesOf(p, columns).map(equal), ...more], sql` and `);
}

function equal([column, value]: [string, unknown]): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${value}`;
}
