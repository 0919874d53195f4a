/**
 * Refresh tokens (rules 6): 256 random bits, stored as a digest, valid for 30 days, used once. Each use yields the
 * next token of its family. A reuse later than a lost answer would explain means that the token was copied, and ends
 * the family.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../db/db.js';
import {
  deleteExpiredRefreshTokens,
  findRefreshToken,
  insertRefreshToken,
  markRefreshTokenUsed,
  revokeFamily,
} from '../../db/users/log-ins.js';
import { findUser } from '../../db/users/users.js';
import type { RefreshTokenRow, UserRow } from '../../db/schema.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';

const LIFETIME_DAYS = 30;
/** How long a token may be reused, because an answer was lost or two tabs asked at once. */
const REUSE_WINDOW_MS = 10_000;

export type Refresh =
  | { type: 'refreshed'; user: UserRow; refreshToken: string }
  | { type: 'unknown' | 'invalid' };

/** The first token of a new family; undefined when the account was disabled or got a new password meanwhile. */
export function issueRefreshToken(ctx: Context, user: UserRow): Promise<string | undefined> {
  return ctx.writer.write((db) => {
    const fresh = findUser(db, { id: user.id });
    if (!fresh?.enabled || fresh.tokenVersion !== user.tokenVersion) return undefined;
    deleteExpiredRefreshTokens(db, { before: iso(ctx.clock.now()) });
    return insertNext(ctx, db, { userId: user.id, family: randomUUID() });
  });
}

/** Exchanges a refresh token. The decision is on disk before the answer. */
export function refreshTokens(ctx: Context, refreshToken: string): Promise<Refresh> {
  return ctx.writer.write((db): Refresh => {
    const row = findRefreshToken(db, { tokenHash: hash('sha256', refreshToken) });
    if (!row) return { type: 'unknown' };
    const user = findUser(db, { id: row.userId });
    const now = ctx.clock.now();
    if (row.revokedAt || row.expiresAt <= iso(now) || !user?.enabled) return { type: 'invalid' };
    if (!ctx.config.refreshSingleUse) return { type: 'refreshed', user, refreshToken };
    if (row.usedAt && !isJustUsed(row.usedAt, now)) {
      revokeFamily(db, { family: row.family, now: iso(now) });
      ctx.log.warn({ userId: user.id }, 'a used refresh token came again: its family was revoked');
      return { type: 'invalid' };
    }
    markRefreshTokenUsed(db, { id: row.id, now: iso(now) });
    return { type: 'refreshed', user, refreshToken: insertNext(ctx, db, row) };
  });
}

/** A use in the future, by a clock that was ahead, is long ago for all that is known; by a few seconds, clocks are adjusted. */
function isJustUsed(usedAt: string, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(usedAt)) <= REUSE_WINDOW_MS;
}

/** Ends the token's family; false when it had ended before or never existed. */
export function invalidateRefreshToken(ctx: Context, refreshToken: string): Promise<boolean> {
  return ctx.writer.write((db) => {
    const row = findRefreshToken(db, { tokenHash: hash('sha256', refreshToken) });
    if (!row || row.revokedAt) return false;
    revokeFamily(db, { family: row.family, now: iso(ctx.clock.now()) });
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
    tokenHash: hash('sha256', token),
    createdAt: iso(now),
    expiresAt: iso(addDays(now, LIFETIME_DAYS)),
  });
  return token;
}
