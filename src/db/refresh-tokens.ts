/** Refresh tokens: only their digests are kept. */
import { query, sqlite, type Db } from './db.js';
import type { RefreshTokenRow } from './schema.js';

const byHash = query((p: { tokenHash: string }) =>
  sqlite.selectFrom('refreshTokens').selectAll().where('tokenHash', '=', p.tokenHash),
);

export function findRefreshToken(db: Db, tokenHash: string): RefreshTokenRow | undefined {
  return db.first(byHash, { tokenHash });
}

export interface NewRefreshToken {
  userId: number;
  family: string;
  tokenHash: string;
  createdAt: string;
  expiresAt: string;
}

const insertion = query((p: NewRefreshToken) =>
  sqlite.insertInto('refreshTokens').values({
    userId: p.userId,
    family: p.family,
    tokenHash: p.tokenHash,
    createdAt: p.createdAt,
    expiresAt: p.expiresAt,
  }),
);

export function insertRefreshToken(db: Db, token: NewRefreshToken): void {
  db.run(insertion, token);
}

const use = query((p: { id: number; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ usedAt: p.now })
    .where('id', '=', p.id)
    .where('usedAt', 'is', null),
);

/** Notes the first use of a token. */
export function markRefreshTokenUsed(db: Db, id: number, now: string): void {
  db.run(use, { id, now });
}

const familyRevocation = query((p: { family: string; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ revokedAt: p.now })
    .where('family', '=', p.family)
    .where('revokedAt', 'is', null),
);

/** Ends every token that grew out of one log-in. */
export function revokeFamily(db: Db, family: string, now: string): void {
  db.run(familyRevocation, { family, now });
}

const userRevocation = query((p: { userId: number; now: string }) =>
  sqlite
    .updateTable('refreshTokens')
    .set({ revokedAt: p.now })
    .where('userId', '=', p.userId)
    .where('revokedAt', 'is', null),
);

/** Ends every token of a user. */
export function revokeRefreshTokensOf(db: Db, userId: number, now: string): void {
  db.run(userRevocation, { userId, now });
}

const expired = query((p: { before: string }) =>
  sqlite.deleteFrom('refreshTokens').where('expiresAt', '<', p.before),
);

/** Removes tokens whose time is over; they could only be refused. */
export function deleteExpiredRefreshTokens(db: Db, before: string): void {
  db.run(expired, { before });
}
