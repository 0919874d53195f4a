/** Troubleshootings (rules 6): reports of trouble with a request's equipment, created and changed by anybody who may see it. */
import type { TroubleshootingRow, TroubleshootingStatus } from '../../db/schema.js';
import {
  countTroubleshootings,
  deleteTroubleshootingRow,
  findTroubleshooting,
  insertTroubleshooting,
  listTroubleshootings as listTroubleshootingRows,
  updateTroubleshooting,
  type TroubleshootingWords,
} from '../../db/requests/troubleshootings.js';
import { change, type Change } from '../change.js';
import { ofRequest, type HistoryWord } from '../history/history.js';
import type { Given } from '../calls/input.js';
import { requestNamed, type AttachedAsked } from '../requests/attached.js';
import type { CreateOne, ChangeOne, DeleteOne, GetOne, ListSome } from '../calls/use-cases.js';
import { actorOf, ownerScope, seenBy } from '../users/rights.js';

export type { TroubleshootingRow };

/** Any move is allowed: solved trouble can come back. */
export const TROUBLESHOOTING_STATUSES = [
  'open',
  'in_progress',
  'solved',
] as const satisfies TroubleshootingStatus[];

export interface NewTroubleshooting {
  requestId: number;
  description: string;
}

/** The new troubleshooting, open. */
export const createTroubleshooting: CreateOne<TroubleshootingRow, NewTroubleshooting> = (
  ctx,
  user,
  { requestId, description },
  keep,
) =>
  change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db, now } = tx;
    const { ownerId } = requestNamed(db, user, requestId);
    const row = insertTroubleshooting(db, { requestId, ownerId, description, status: 'open', now });
    trace(tx, 'troubleshooting.created', row);
    keep?.(db, row);
    return row;
  });

/** Returns the changed troubleshooting; without a difference nothing happens. */
export const changeTroubleshooting: ChangeOne<TroubleshootingRow, Given<TroubleshootingWords>> = (
  ctx,
  user,
  id,
  wanted,
  precondition,
) =>
  change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db, now } = tx;
    const before = getTroubleshooting({ db }, user, id);
    precondition?.(before);
    const { description = before.description, status = before.status } = wanted;
    if (description === before.description && status === before.status) return before;
    const row = updateTroubleshooting(db, { id, description, status, now });
    trace(tx, 'troubleshooting.changed', row);
    tx.publish('troubleshooting.updated', row);
    return row;
  });

export const deleteTroubleshooting: DeleteOne<TroubleshootingRow> = (ctx, user, id, precondition) =>
  change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db } = tx;
    const row = getTroubleshooting({ db }, user, id);
    precondition?.(row);
    deleteTroubleshootingRow(db, { id });
    trace(tx, 'troubleshooting.deleted', row);
  });

/** Throws `not_found` also for somebody else's. */
export const getTroubleshooting: GetOne<TroubleshootingRow> = ({ db }, user, id) =>
  seenBy(user, findTroubleshooting(db, { id }));

export const listTroubleshootings: ListSome<TroubleshootingRow, AttachedAsked<TroubleshootingStatus>> = (
  { db },
  user,
  { filter: asked, order, limit, offset },
) => {
  const filter = { ...asked, ownerId: ownerScope(user) };
  const direction = order?.direction ?? 'asc';
  return {
    total: countTroubleshootings(db, filter),
    rows: listTroubleshootingRows(db, { filter, direction, limit, offset }),
  };
};

function trace(tx: Change, what: HistoryWord, row: TroubleshootingRow): void {
  const { reference, status, requestId } = row;
  tx.record(what, ofRequest(requestId), { reference, status });
}
