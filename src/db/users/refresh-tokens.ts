/** Refresh tokens: only their digests are stored. */
import { sql } from 'kysely';
import { first, run, sqlite } from '../db.js';
import { newRow, rowsBy, setById } from '../table.js';

export const findRefreshToken = first(rowsBy('refreshTokens', 'tokenHash'));

export const insertRefreshToken = run(
  newRow('refreshTokens', ['userId', 'family', 'tokenHash', 'createdAt', 'expiresAt']),
);

/** Notes the first use of a token. */
export const markRefreshTokenUsed = run(
  setById('refreshTokens', [], { stamps: ['usedAt'], end: sql`and "usedAt" is null` }),
);

const revoked = ({ now }: { now: string }) =>
  sqlite.updateTable('refreshTokens').set({ revokedAt: now }).where('revokedAt', 'is', null);

/** Revokes every token of a log-in. */
export const revokeFamily = run((p: { family: string; now: string }) =>
  revoked(p).where('family', '=', p.family),
);

/** Ends every token of a user. */
export const revokeRefreshTokensOf = run((p: { userId: number; now: string }) =>
  revoked(p).where('userId', '=', p.userId),
);

/** Removes expired tokens. */
export const deleteExpiredRefreshTokens = run((p: { before: string }) =>
  sqlite.deleteFrom('refreshTokens').where('expiresAt', '<', p.before),
);

export const deleteAllRefreshTokens = run(() => sqlite.deleteFrom('refreshTokens'));
