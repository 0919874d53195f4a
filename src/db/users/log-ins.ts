/** What lets people in: back-office sessions, refresh tokens, links by mail to set a password. Of each only a digest is stored. */
import { sql } from 'kysely';
import { all, changed, first, run, sqlite } from '../db.js';
import { deleteBy, newestBy, newRow, rowsBy, setById, putRow } from '../table.js';

export const findSession = first(rowsBy('sessions', 'tokenHash'));

export const insertSession = run(
  newRow('sessions', ['userId', 'tokenHash', 'tokenVersion', 'address', 'agent', 'expiresAt'], {
    stamps: ['createdAt', 'lastSeenAt'],
  }),
);

export const listSessionsOf = all(newestBy('sessions', 'userId'));

export const setSessionSeen = run(setById('sessions', ['lastSeenAt']));

/** Sets the message for the session's next page; null for none. */
export const setSessionFlash = run(setById('sessions', ['flash']));

/** False: the user has no such session. */
export const deleteSession = changed(deleteBy('sessions', 'id', 'userId'));

/** Ends every other session of the user; returns how many. */
export const deleteOtherSessions = run((p: { id: number; userId: number }) =>
  sqlite.deleteFrom('sessions').where('userId', '=', p.userId).where('id', '!=', p.id),
);

export const deleteExpiredSessions = run((p: { before: string }) =>
  sqlite.deleteFrom('sessions').where('expiresAt', '<=', p.before),
);

export const deleteAllSessions = run(() => sqlite.deleteFrom('sessions'));

export const findRefreshToken = first(rowsBy('refreshTokens', 'tokenHash'));

export const insertRefreshToken = run(
  newRow('refreshTokens', ['userId', 'family', 'tokenHash', 'createdAt', 'expiresAt']),
);

export const markRefreshTokenUsed = run(
  setById('refreshTokens', [], { stamps: ['usedAt'], end: sql`and "usedAt" is null` }),
);

const revoked = ({ now }: { now: string }) =>
  sqlite.updateTable('refreshTokens').set({ revokedAt: now }).where('revokedAt', 'is', null);

/** Revokes every token of a log-in. */
export const revokeFamily = run((p: { family: string; now: string }) =>
  revoked(p).where('family', '=', p.family),
);

export const revokeRefreshTokensOf = run((p: { userId: number; now: string }) =>
  revoked(p).where('userId', '=', p.userId),
);

export const deleteExpiredRefreshTokens = run((p: { before: string }) =>
  sqlite.deleteFrom('refreshTokens').where('expiresAt', '<', p.before),
);

export const deleteAllRefreshTokens = run(() => sqlite.deleteFrom('refreshTokens'));

export const findPasswordLink = first(rowsBy('passwordLinks', 'tokenHash'));

export const insertPasswordLink = run(
  newRow('passwordLinks', ['userId', 'purpose', 'tokenHash', 'version', 'expiresAt'], {
    stamps: ['createdAt'],
  }),
);

export const markPasswordLinkUsed = run((p: { tokenHash: string; now: string }) =>
  sqlite.updateTable('passwordLinks').set({ usedAt: p.now }).where('tokenHash', '=', p.tokenHash),
);

export const listPasswordLinksOf = all(newestBy('passwordLinks', 'userId'));

export const deleteOpenPasswordLinks = run((p: { now: string }) =>
  sqlite.deleteFrom('passwordLinks').where('expiresAt', '>', p.now),
);

// Users' calls of the last hour, stored so that a restart does not reset the counts.

/** The oldest first. */
export const listUserCalls = all((p: { after: string; until: string }) =>
  sqlite
    .selectFrom('userCalls')
    .selectAll()
    .where('lastAt', '>', p.after)
    .where('lastAt', '<=', p.until)
    .orderBy('lastAt'),
);

/** Inserts or replaces an entry. */
export const putUserCalls = run(putRow('userCalls', ['userId', 'firstAt'], ['lastAt', 'count']));

export const deleteUserCallsUntil = run((p: { until: string }) =>
  sqlite.deleteFrom('userCalls').where('lastAt', '<=', p.until),
);
