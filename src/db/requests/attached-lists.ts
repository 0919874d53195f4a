/** Lists of what is attached to requests: offers and troubleshootings. */
import { sql, type SqlBool, type RawBuilder, type Selectable } from 'kysely';
import { sqlite, type Db } from '../db.js';
import { pageOf, type Page, type Part } from '../page.js';
import type { Schema } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';

/** Null means "any"; an empty list means "none". */
export interface AttachedFilter<Status extends string> {
  ownerId: number | null;
  status: readonly Status[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

type Attached = 'offers' | 'troubleshootings';
type AttachedPart<T extends Attached> = Part & {
  filter: AttachedFilter<Schema[T]['status']>;
  offset: number;
};

/** In the order of their creation. */
export function listAttached<T extends Attached>(table: T) {
  return (db: Db, { filter, ...part }: AttachedPart<T>): Page<Selectable<Schema[T]>> => {
    const all = sqlite.selectFrom<Attached>(table);
    const [first, ...more] = conditionsOf(filter);
    const some = first ? all.where(sql<SqlBool>`${sql.join([first, ...more], sql` and `)}`) : all;
    const { total, rows } = pageOf(db, some, some.selectAll(), { ...part, by: 'createdAt' });
    return { total, rows: rows as Selectable<Schema[T]>[] };
  };
}

function conditionsOf({
  ownerId,
  status,
  request,
  createdAt,
}: AttachedFilter<string>): RawBuilder<unknown>[] {
  const parts = [];
  if (ownerId !== null) parts.push(sql`"ownerId" = ${ownerId}`);
  if (status) parts.push(sql`"status" in ${anyOf(status)}`);
  if (request) parts.push(sql`"requestId" in ${anyOf(request)}`);
  if (createdAt.from !== null) parts.push(sql`"createdAt" >= ${createdAt.from}`);
  if (createdAt.until !== null) parts.push(sql`"createdAt" < ${createdAt.until}`);
  return parts;
}
