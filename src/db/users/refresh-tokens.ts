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

/** Revokes every token of a log-in. */
export const revokeFamily = run((p: { family: string; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ revokedAt: p.now })
    .where('family', '=', p.family)
    .where('revokedAt', 'is', null),
);

/** Ends every token of a user. */
export const revokeRefreshTokensOf = run((p: { userId: number; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ revokedAt: p.now })
    .where('userId', '=', p.userId)
    .where('revokedAt', 'is', null),
);

/** Removes expired tokens. */
export const deleteExpiredRefreshTokens = run((p: { before: string }) =>
  sqlite.deleteFrom('refreshTokens').where('expiresAt', '<', p.before),
);
