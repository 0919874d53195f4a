/**
 * Access tokens: JWT, HS256, one hour (rules 6). A token counts only together with the current user row, so disabling
 * a user or changing a password ends its tokens at once.
 */
import { createSecretKey, hash, randomUUID, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { findUser } from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { rolesOf } from './rights.js';

const LIFETIME_S = 3600;
const ISSUER = 'esignd';
const AUDIENCE = 'esign-api';
const TYPE = 'JWT';
const REMEMBERED_MAX = 1_000;
/** Ours are shorter than 600 characters. */
const TOKEN_LENGTH_MAX = 4_096;

export type Verification = { type: 'valid'; user: UserRow } | { type: 'expired' } | { type: 'invalid' };

interface Claims {
  userId: number;
  version: number;
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
    if (token.length > TOKEN_LENGTH_MAX) return { type: 'invalid' };
    const digest = digestOf(token);
    const claims = this.#verified.get(digest) ?? (await this.#read(token, digest));
    if (claims === 'expired' || claims === 'invalid') return { type: claims };
    if (this.#isOver(claims)) {
      this.#verified.delete(digest);
      return { type: 'expired' };
    }
    const user = this.#userOf(claims);
    return user ? { type: 'valid', user } : { type: 'invalid' };
  }

  #isOver({ expiresAtS }: Claims): boolean {
    return expiresAtS <= this.#nowS();
  }

  #userOf({ userId, version }: Claims): UserRow | undefined {
    const user = findUser(this.#ctx.db, { id: userId });
    return user?.enabled && user.tokenVersion === version ? user : undefined;
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
        userId: Number(payload.sub),
        version: Number(payload['ver']),
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
      this.#verified.delete(this.#verified.keys().next().value as string);
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
