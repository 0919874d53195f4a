/** Troubleshootings (decisions 6): reports of trouble with what a request is about, made and changed by those who may see it. */
import type { Db } from '../../db/db.js';
import type { TroubleshootingRow, TroubleshootingStatus, UserRow } from '../../db/schema.js';
import {
  countTroubleshootings,
  deleteTroubleshootingRow,
  findTroubleshooting,
  insertTroubleshooting,
  listTroubleshootings as listTroubleshootingRows,
  updateTroubleshooting,
  type TroubleshootingWords,
} from '../../db/troubleshootings.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { publishEvent } from '../events.js';
import { record, type HistoryWord } from '../history.js';
import type { Keep } from '../idempotency.js';
import type { Given } from '../input.js';
import type { Listing } from '../listing.js';
import type { Precondition } from '../precondition.js';
import { requestNamed, seenBy, type AttachedAsked } from '../requests/attached.js';
import { actorOf, ownerScope } from '../users/rights.js';

export type { TroubleshootingRow };

/** Any may follow any: trouble that was solved can come back. */
export const TROUBLESHOOTING_STATUSES = [
  'open',
  'in_progress',
  'solved',
] as const satisfies TroubleshootingStatus[];

/** The new troubleshooting, open. */
export function createTroubleshooting(
  ctx: Context,
  user: UserRow,
  { requestId, description }: { requestId: number; description: string },
  keep?: Keep<TroubleshootingRow>,
): Promise<TroubleshootingRow> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const { ownerId } = requestNamed(db, user, requestId);
    const row = insertTroubleshooting(db, { requestId, ownerId, description, status: 'open', now });
    trace(db, { what: 'troubleshooting.created', row, user, now });
    keep?.(db, row);
    return row;
  });
}

/** The troubleshooting as it is then; leaving it as it is changes nothing. */
export function changeTroubleshooting(
  ctx: Context,
  user: UserRow,
  id: number,
  change: Given<TroubleshootingWords>,
  precondition?: Precondition<TroubleshootingRow>,
): Promise<TroubleshootingRow> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const before = getTroubleshooting({ db }, user, id);
    precondition?.(before);
    const { description = before.description, status = before.status } = change;
    if (description === before.description && status === before.status) return before;
    const row = updateTroubleshooting(db, { id, description, status, now });
    trace(db, { what: 'troubleshooting.changed', row, user, now });
    publishEvent(db, { event: 'troubleshooting.updated', about: row, now });
    return row;
  });
}

export function deleteTroubleshooting(
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<TroubleshootingRow>,
): Promise<void> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const row = getTroubleshooting({ db }, user, id);
    precondition?.(row);
    deleteTroubleshootingRow(db, id);
    trace(db, { what: 'troubleshooting.deleted', row, user, now });
  });
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getTroubleshooting(
  { db }: Pick<Context, 'db'>,
  user: UserRow,
  id: number,
): TroubleshootingRow {
  return seenBy(user, findTroubleshooting(db, id));
}

export function listTroubleshootings(
  { db }: Context,
  user: UserRow,
  { filter: asked, order, limit, offset }: AttachedAsked<TroubleshootingStatus>,
): Listing<TroubleshootingRow> {
  const filter = { ...asked, ownerId: ownerScope(user) };
  const direction = order?.direction ?? 'asc';
  return {
    total: countTroubleshootings(db, filter),
    rows: listTroubleshootingRows(db, { filter, direction, limit, offset }),
  };
}

function trace(
  db: Db,
  { what, row, user, now }: { what: HistoryWord; row: TroubleshootingRow; user: UserRow; now: string },
): void {
  const { reference, status, requestId } = row;
  record(db, { at: now, actor: actorOf(user), what, requestId, detail: { reference, status } });
}
