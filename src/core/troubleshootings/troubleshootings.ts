/** Troubleshootings (rules 6): reports of trouble with a request's equipment, created and changed by anybody who may see it. */
import type { TroubleshootingRow } from '../../db/schema.js';
import {
  deleteTroubleshootingRow,
  findTroubleshooting,
  insertTroubleshooting,
  updateTroubleshooting,
  type TroubleshootingWords,
} from '../../db/requests/attached.js';
import type { Change } from '../change.js';
import { ofRequest, type HistoryWord } from '../history/history.js';
import type { Given } from '../calls/input.js';
import { requestNamed } from '../requests/requests.js';
import { changeOne, createOne, deleteOne, type GetOne } from '../calls/owned.js';
import { seenBy } from '../users/rights.js';

export type { TroubleshootingRow };

export interface NewTroubleshooting {
  requestId: number;
  description: string;
}

/** Throws `not_found` also for somebody else's. */
export const getTroubleshooting: GetOne<TroubleshootingRow> = ({ db }, user, id) =>
  seenBy(user, findTroubleshooting(db, { id }));

export const createTroubleshooting = createOne<TroubleshootingRow, NewTroubleshooting>(
  (tx, user, { requestId, description }) => {
    const { db, now } = tx;
    const { ownerId } = requestNamed(db, user, requestId);
    const row = insertTroubleshooting(db, { requestId, ownerId, description, status: 'open', now });
    trace(tx, 'troubleshooting.created', row);
    return row;
  },
);

/** Returns the changed troubleshooting; without a difference nothing happens. */
export const changeTroubleshooting = changeOne<TroubleshootingRow, Given<TroubleshootingWords>>(
  getTroubleshooting,
  (tx, before, wanted) => {
    const { db, now } = tx;
    const { description = before.description, status = before.status } = wanted;
    if (description === before.description && status === before.status) return before;
    const row = updateTroubleshooting(db, { id: before.id, description, status, now });
    trace(tx, 'troubleshooting.changed', row);
    tx.publish('troubleshooting.updated', row);
    return row;
  },
);

export const deleteTroubleshooting = deleteOne(getTroubleshooting, (tx, row) => {
  deleteTroubleshootingRow(tx.db, { id: row.id });
  trace(tx, 'troubleshooting.deleted', row);
});

function trace(tx: Change, what: HistoryWord, row: TroubleshootingRow): void {
  const { reference, status, requestId } = row;
  tx.record(what, ofRequest(requestId), { reference, status });
}
