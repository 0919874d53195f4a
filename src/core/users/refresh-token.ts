/**
 * Refresh tokens (decisions 6): 256 random bits, kept as a digest, 30 days, used once. Each use gives the next of its
 * family; a use that comes later than a lost answer explains means that a copy is about, and ends the family.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../db/db.js';
import {
  deleteExpiredRefreshTokens,
  findRefreshToken,
  insertRefreshToken,
  markRefreshTokenUsed,
  revokeFamily,
} from '../../db/refresh-tokens.js';
import { findUser } from '../../db/users.js';
import type { RefreshTokenRow, UserRow } from '../../db/schema.js';
import { addDays, addMs, iso } from '../clock.js';
import type { Context } from '../context.js';

const LIFETIME_DAYS = 30;
/** How long the same token may come again, because the answer was lost or two tabs asked at once. */
const REUSE_WINDOW_MS = 10_000;

export type Refresh =
  | { type: 'refreshed'; user: UserRow; refreshToken: string }
  | { type: 'unknown' | 'invalid' };

/** The first token of a new family; undefined when the account was closed or got a new password in the meantime. */
export function issueRefreshToken(ctx: Context, user: UserRow): Promise<string | undefined> {
  return ctx.writer.write((db) => {
    const fresh = findUser(db, user.id);
    if (!fresh?.enabled || fresh.tokenVersion !== user.tokenVersion) return undefined;
    deleteExpiredRefreshTokens(db, iso(ctx.clock.now()));
    return insertNext(ctx, db, { userId: user.id, family: randomUUID() });
  });
}

/** Exchanges a refresh token; what it decides is on disk before anybody hears of it. */
export function refreshTokens(ctx: Context, refreshToken: string): Promise<Refresh> {
  return ctx.writer.write((db): Refresh => {
    const row = findRefreshToken(db, digest(refreshToken));
    if (!row) return { type: 'unknown' };
    const user = findUser(db, row.userId);
    const now = ctx.clock.now();
    if (row.revokedAt || row.expiresAt <= iso(now) || !user?.enabled) return { type: 'invalid' };
    if (!ctx.config.refreshSingleUse) return { type: 'refreshed', user, refreshToken };
    if (row.usedAt && iso(now) > iso(addMs(new Date(row.usedAt), REUSE_WINDOW_MS))) {
      revokeFamily(db, row.family, iso(now));
      ctx.log.warn({ userId: user.id }, 'a used refresh token came again: its family was revoked');
      return { type: 'invalid' };
    }
    markRefreshTokenUsed(db, row.id, iso(now));
    return { type: 'refreshed', user, refreshToken: insertNext(ctx, db, row) };
  });
}

/** Ends the log-in that a token belongs to; false when it had ended before, or never was. */
export function invalidateRefreshToken(ctx: Context, refreshToken: string): Promise<boolean> {
  return ctx.writer.write((db) => {
    const row = findRefreshToken(db, digest(refreshToken));
    if (!row || row.revokedAt) return false;
    revokeFamily(db, row.family, iso(ctx.clock.now()));
    return true;
  });
}

function insertNext(
  ctx: Context,
  db: Db,
  { userId, family }: Pick<RefreshTokenRow, 'userId' | 'family'>,
): string {
  const token = randomBytes(32).toString('hex');
  const now = ctx.clock.now();
  insertRefreshToken(db, {
    userId,
    family,
    tokenHash: digest(token),
    createdAt: iso(now),
    expiresAt: iso(addDays(now, LIFETIME_DAYS)),
  });
  return token;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
