/** Back-office sessions: only the digests of their tokens are stored. */
import { all, changed, first, run, sqlite } from '../db.js';
import { deleteBy, newestBy, newRow, rowsBy, setById } from '../table.js';

export const findSession = first(rowsBy('sessions', 'tokenHash'));

export const insertSession = run(
  newRow('sessions', ['userId', 'tokenHash', 'tokenVersion', 'address', 'agent', 'expiresAt'], {
    stamps: ['createdAt', 'lastSeenAt'],
  }),
);

/** The sessions of a user, the newest first. */
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
