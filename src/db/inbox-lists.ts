/** Inbound webhook events as staff looks through them: the newest first, without their bodies. */
import { INBOX_COLUMNS, type InboxEvent } from './case-file.js';
import { query, sqlite, type Db } from './db.js';
import type { InboxRow } from './schema.js';
import { rows } from './sql.js';

const newest = query((p: { beforeId: number; limit: number }) =>
  sqlite
    .selectFrom('inbox')
    .select(INBOX_COLUMNS)
    .where('id', '<', p.beforeId)
    .orderBy('id', 'desc')
    .limit(rows(p.limit)),
);

/** Events older than this one, at most `limit` of them. */
export function listInboxBefore(db: Db, page: { beforeId: number; limit: number }): InboxEvent[] {
  return db.all(newest, page);
}

const ofSubject = query((p: { subjectId: string; limit: number }) =>
  sqlite
    .selectFrom('inbox')
    .select(INBOX_COLUMNS)
    .where('subjectId', '=', p.subjectId)
    .orderBy('id', 'desc')
    .limit(rows(p.limit)),
);

/** Events about one signId or paymentId. */
export function listInboxOfSubject(db: Db, subjectId: string, limit: number): InboxEvent[] {
  return db.all(ofSubject, { subjectId, limit });
}

const byId = query((p: { id: number }) => sqlite.selectFrom('inbox').selectAll().where('id', '=', p.id));

export function findInboxEventById(db: Db, id: number): InboxRow | undefined {
  return db.first(byId, { id });
}

const rejected = query((p: { limit: number }) =>
  sqlite.selectFrom('rejectedDeliveries').selectAll().orderBy('id', 'desc').limit(rows(p.limit)),
);

/** The newest deliveries that were turned away, of both sources. */
export function listNewestRejected(db: Db, limit: number) {
  return db.all(rejected, { limit });
}
