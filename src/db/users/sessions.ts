/** Back-office sessions: only the digests of their tokens are stored. */
import { all, changed, first, run, sqlite } from '../db.js';
import type { SessionRow } from '../schema.js';

export const findSession = first((p: { tokenHash: string }) =>
  sqlite.selectFrom('sessions').selectAll().where('tokenHash', '=', p.tokenHash),
);

export type NewSession = Pick<
  SessionRow,
  'userId' | 'tokenHash' | 'tokenVersion' | 'address' | 'agent' | 'createdAt' | 'expiresAt'
>;

export const insertSession = run((p: NewSession) =>
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

/** The sessions of a user, the newest first. */
export const listSessionsOf = all((p: { userId: number }) =>
  sqlite.selectFrom('sessions').selectAll().where('userId', '=', p.userId).orderBy('id', 'desc'),
);

export const setSessionSeen = run((p: { id: number; lastSeenAt: string }) =>
  sqlite.updateTable('sessions').set({ lastSeenAt: p.lastSeenAt }).where('id', '=', p.id),
);

/** Sets the message for the session's next page; null for none. */
export const setSessionFlash = run((p: { id: number; flash: string | null }) =>
  sqlite.updateTable('sessions').set({ flash: p.flash }).where('id', '=', p.id),
);

/** False: the user has no such session. */
export const deleteSession = changed((p: { id: number; userId: number }) =>
  sqlite.deleteFrom('sessions').where('id', '=', p.id).where('userId', '=', p.userId),
);

/** Ends every other session of the user; returns how many. */
export const deleteOtherSessions = run((p: { id: number; userId: number }) =>
  sqlite.deleteFrom('sessions').where('userId', '=', p.userId).where('id', '!=', p.id),
);

export const deleteExpiredSessions = run((p: { before: string }) =>
  sqlite.deleteFrom('sessions').where('expiresAt', '<=', p.before),
);
