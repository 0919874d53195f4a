/** The filters shared by lists of offers and troubleshootings. */
import { sql, type Expression, type SqlBool } from 'kysely';
import { anyOf, type Direction, type TimeRange } from '../sql.js';

/** Null means "any"; an empty list means "none". */
export interface AttachedFilter<Status extends string> {
  ownerId: number | null;
  status: readonly Status[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

export interface AttachedPage<Status extends string> {
  filter: AttachedFilter<Status>;
  /** Of their creation. */
  direction: Direction;
  limit: number;
  offset: number;
}

/** Undefined when every row matches. */
export function fits<Status extends string>({
  ownerId,
  status,
  request,
  createdAt,
}: AttachedFilter<Status>): Expression<SqlBool> | undefined {
  const parts: Expression<SqlBool>[] = [];
  if (ownerId !== null) parts.push(sql`"ownerId" = ${ownerId}`);
  if (status) parts.push(sql`"status" in ${anyOf(status)}`);
  if (request) parts.push(sql`"requestId" in ${anyOf(request)}`);
  if (createdAt.from !== null) parts.push(sql`"createdAt" >= ${createdAt.from}`);
  if (createdAt.until !== null) parts.push(sql`"createdAt" < ${createdAt.until}`);
  return parts.length > 0 ? sql<SqlBool>`${sql.join(parts, sql` and `)}` : undefined;
}
