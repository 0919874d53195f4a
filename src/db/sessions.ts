/** Log-ins to the back office: only the digests of their tokens are kept. */
import { query, sqlite, type Db } from './db.js';
import type { SessionRow } from './schema.js';

const byHash = query((p: { tokenHash: string }) =>
  sqlite.selectFrom('sessions').selectAll().where('tokenHash', '=', p.tokenHash),
);

export function findSession(db: Db, tokenHash: string): SessionRow | undefined {
  return db.first(byHash, { tokenHash });
}

export type NewSession = Pick<
  SessionRow,
  'userId' | 'tokenHash' | 'tokenVersion' | 'address' | 'agent' | 'createdAt' | 'expiresAt'
>;

const insertion = query((p: NewSession) =>
  sqlite.insertInto('sessions').values({
    userId: p.userId,
    tokenHash: p.tokenHash,
    tokenVersion: p.tokenVersion,
    address: p.address,
    agent: p.agent,
    createdAt: p.createdAt,
    lastSeenAt: p.createdAt,
    expiresAt: p.expiresAt,
  }),
);

export function insertSession(db: Db, session: NewSession): void {
  db.run(insertion, session);
}

const ofUser = query((p: { userId: number }) =>
  sqlite.selectFrom('sessions').selectAll().where('userId', '=', p.userId).orderBy('id', 'desc'),
);

/** The sessions of a user, the newest first. */
export function listSessionsOf(db: Db, userId: number): SessionRow[] {
  return db.all(ofUser, { userId });
}

const sighting = query((p: { id: number; lastSeenAt: string }) =>
  sqlite.updateTable('sessions').set({ lastSeenAt: p.lastSeenAt }).where('id', '=', p.id),
);

export function setSessionSeen(db: Db, id: number, lastSeenAt: string): void {
  db.run(sighting, { id, lastSeenAt });
}

const flashUpdate = query((p: { id: number; flash: string | null }) =>
  sqlite.updateTable('sessions').set({ flash: p.flash }).where('id', '=', p.id),
);

/** What the next page of the session says; null: nothing. */
export function setSessionFlash(db: Db, id: number, flash: string | null): void {
  db.run(flashUpdate, { id, flash });
}

const removal = query((p: { id: number; userId: number }) =>
  sqlite.deleteFrom('sessions').where('id', '=', p.id).where('userId', '=', p.userId),
);

/** False: the user has no such session. */
export function deleteSession(db: Db, id: number, userId: number): boolean {
  return db.run(removal, { id, userId }) === 1;
}

const othersRemoval = query((p: { id: number; userId: number }) =>
  sqlite.deleteFrom('sessions').where('userId', '=', p.userId).where('id', '!=', p.id),
);

/** Ends every session of the user but this one; tells how many. */
export function deleteOtherSessions(db: Db, id: number, userId: number): number {
  return db.run(othersRemoval, { id, userId });
}

const expired = query((p: { before: string }) =>
  sqlite.deleteFrom('sessions').where('expiresAt', '<=', p.before),
);

export function deleteExpiredSessions(db: Db, before: string): void {
  db.run(expired, { before });
}
