/** The audit trails of signed contracts: which are to be fetched, and the digests of those that are kept. */
import { sql } from 'kysely';
import { all, first, run, sqlite } from '../db.js';
import { newRow, rowsBy } from '../table.js';

/** A signed contract's is to be fetched; once. */
export const oweAuditTrail = run(
  newRow('auditTrails', ['contractId', 'dueAt'], { end: sql`on conflict do nothing` }),
);

export const findAuditTrail = first(rowsBy('auditTrails', 'contractId'));

/** The signed contracts whose trail is due, the earliest first. */
export const listDueAuditTrails = all((p: { now: string; limit: number }) =>
  sqlite
    .selectFrom('auditTrails')
    .innerJoin('contracts', 'contracts.id', 'auditTrails.contractId')
    .selectAll('contracts')
    .where('auditTrails.dueAt', '<=', p.now)
    .orderBy('auditTrails.dueAt')
    .limit(p.limit),
);

/** Null: the provider is not asked again. */
export const setAuditTrailDue = run((p: { contractId: number; dueAt: string | null }) =>
  sqlite.updateTable('auditTrails').set({ dueAt: p.dueAt }).where('contractId', '=', p.contractId),
);

export const keepAuditTrail = run((p: { contractId: number; files: string }) =>
  sqlite
    .updateTable('auditTrails')
    .set({ dueAt: null, files: p.files })
    .where('contractId', '=', p.contractId),
);
