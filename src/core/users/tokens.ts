/**
 * The tokens of the API. Access tokens: JWT, HS256, one hour (rules 6). A token counts only together with the current user
 * row, so disabling a user or changing a password ends its tokens at once. Refresh tokens are below.
 */
import { createSecretKey, hash, randomUUID, type KeyObject, randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { requireUser } from '../../db/users/users.js';
import type { UserRow, RefreshTokenRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { rolesOf } from './rights.js';
import { findLetIn } from './users.js';
import type { Db } from '../../db/db.js';
import {
  deleteExpiredRefreshTokens,
  findRefreshToken,
  insertRefreshToken,
  markRefreshTokenUsed,
  revokeFamily,
} from '../../db/users/log-ins.js';
import { addDays, iso } from '../clock.js';

const LIFETIME_S = 3600;
const ISSUER = 'esignd';
const AUDIENCE = 'esign-api';
const TYPE = 'JWT';
const REMEMBERED_MAX = 1_000;

export type Verification = { type: 'valid'; user: UserRow } | { type: 'expired' } | { type: 'invalid' };

interface Claims extends Pick<UserRow, 'id' | 'tokenVersion'> {
  expiresAtS: number;
}

export class AccessTokens {
  readonly #ctx: Context;
  readonly #key: KeyObject;
  /** Verified tokens by SHA-256, so that signatures are not checked on each call. */
  readonly #verified = new Map<string, Claims>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#key = createSecretKey(ctx.jwtSecret(), 'utf8');
  }

  issue(user: UserRow): Promise<string> {
    const nowS = this.#nowS();
    return new SignJWT({ username: user.username, roles: rolesOf(user), ver: user.tokenVersion })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(String(user.id))
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#key);
  }

  /** Finds the token's user; `expired` only for a genuine token. */
  async verify(token: string): Promise<Verification> {
    const digest = digestOf(token);
    const claims = this.#verified.get(digest) ?? (await this.#read(token, digest));
    if (claims === 'expired' || claims === 'invalid') return { type: claims };
    if (this.#isOver(claims)) return { type: 'expired' };
    const user = findLetIn(this.#ctx.db, claims);
    return user ? { type: 'valid', user } : { type: 'invalid' };
  }

  #isOver({ expiresAtS }: Claims): boolean {
    return expiresAtS <= this.#nowS();
  }

  async #read(token: string, digest: string): Promise<Claims | 'expired' | 'invalid'> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp', 'jti', 'username', 'roles', 'ver'],
        currentDate: this.#ctx.clock.now(),
      });
      const claims = {
        id: Number(payload.sub),
        tokenVersion: Number(payload['ver']),
        expiresAtS: Number(payload.exp),
      };
      this.#remember(digest, claims);
      return claims;
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
    }
  }

  #remember(digest: string, claims: Claims): void {
    if (this.#verified.size >= REMEMBERED_MAX) {
      const [oldest = ''] = this.#verified.keys();
      this.#verified.delete(oldest);
    }
    this.#verified.set(digest, claims);
  }

  #nowS(): number {
    return Math.floor(this.#ctx.clock.now().getTime() / 1000);
  }
}

/** Only digests stay in memory: they let nobody in. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

// Refresh tokens (rules 6): 256 random bits, stored as a digest, valid for 30 days, used once. Each use yields the
// next token of its family. A reuse later than a lost answer would explain means that the token was copied, and ends
// the family.

const LIFETIME_DAYS = 30;
/** How long a token may be reused, because an answer was lost or two tabs asked at once. */
const REUSE_WINDOW_MS = 10_000;

type Refresh = { type: 'refreshed'; user: UserRow; refreshToken: string } | { type: 'unknown' | 'invalid' };

/** The first token of a new family; undefined when the account was disabled or got a new password meanwhile. */
export function issueRefreshToken(ctx: Context, user: UserRow): Promise<string | undefined> {
  return ctx.writer.write((db) => {
    if (!findLetIn(db, user)) return undefined;
    deleteExpiredRefreshTokens(db, { before: iso(ctx.clock.now()) });
    return insertNext(ctx, db, { userId: user.id, family: randomUUID() });
  });
}

/** Exchanges a refresh token. The decision is on disk before the answer. */
export function refreshTokens(ctx: Context, refreshToken: string): Promise<Refresh> {
  return ctx.writer.write((db): Refresh => {
    const row = findRefreshToken(db, { tokenHash: hash('sha256', refreshToken) });
    if (!row) return { type: 'unknown' };
    const user = requireUser(db, { id: row.userId });
    const now = ctx.clock.now();
    if (row.revokedAt || row.expiresAt <= iso(now) || !user.enabled) return { type: 'invalid' };
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
