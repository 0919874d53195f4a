/** Troubleshootings: lookup, pages, changes. */
import { sql } from 'kysely';
import { listAttached } from './attached-lists.js';
import { first, required, run } from '../db.js';
import type { TroubleshootingRow } from '../schema.js';
import { deleteBy, newRow, rowsBy, setById } from '../table.js';

export const findTroubleshooting = first(rowsBy('troubleshootings', 'id'));

export type TroubleshootingWords = Pick<TroubleshootingRow, 'description' | 'status'>;

export const insertTroubleshooting = required(
  newRow('troubleshootings', ['requestId', 'ownerId', 'description', 'status'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

/** The troubleshooting as it is then. */
export const updateTroubleshooting = required(
  setById('troubleshootings', ['description', 'status'], { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deleteTroubleshootingRow = run(deleteBy('troubleshootings', 'id'));

export const listTroubleshootings = listAttached('troubleshootings');
