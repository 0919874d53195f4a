/** Refresh tokens: only their digests are stored. */
import { first, run, sqlite } from '../db.js';
import type { RefreshTokenRow } from '../schema.js';

export const findRefreshToken = first((p: { tokenHash: string }) =>
  sqlite.selectFrom('refreshTokens').selectAll().where('tokenHash', '=', p.tokenHash),
);

export type NewRefreshToken = Omit<RefreshTokenRow, 'id' | 'usedAt' | 'revokedAt'>;

export const insertRefreshToken = run(
  ({ userId, family, tokenHash, createdAt, expiresAt }: NewRefreshToken) =>
    sqlite.insertInto('refreshTokens').values({ userId, family, tokenHash, createdAt, expiresAt }),
);

/** Notes the first use of a token. */
export const markRefreshTokenUsed = run((p: { id: number; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ usedAt: p.now })
    .where('id', '=', p.id)
    .where('usedAt', 'is', null),
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
