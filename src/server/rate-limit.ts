/**
 * The limits of the API (spec 8): calls a minute from one address, counted before anybody looks who calls, and calls an
 * hour of one user. Every answer tells how much is left; a call above a limit is 429 and says how long to wait.
 */
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import type { Config } from '../core/config.js';
import type { Context } from '../core/context.js';
import { SlidingWindow, type Standing } from '../core/sliding-window.js';
import type { UserRow } from '../core/users/rights.js';
import { UserCalls } from '../core/users/user-calls.js';
import { addressOf } from './client-address.js';
import { noted } from './docs/notes.js';
import { HttpError } from './errors.js';
import type { Env, Parts } from './parts.js';

/** In seconds; the names are those of the RateLimit headers. */
const WINDOW_S = { ip: 60, user: 3600 } as const;

type LimitName = keyof typeof WINDOW_S;

/** Undefined where the settings turn a limit off. */
export interface RateLimits {
  byAddress: SlidingWindow | undefined;
  byUser: UserCalls | undefined;
}

export interface LimitStanding extends Standing {
  name: LimitName;
  limit: number;
}

export function createRateLimits(ctx: Context): RateLimits {
  const { rateLimitIp, rateLimitUser } = ctx.config;
  const windowMs = WINDOW_S.ip * 1000;
  const byAddress = rateLimitIp ? new SlidingWindow(ctx.clock, { limit: rateLimitIp, windowMs }) : undefined;
  const byUser = rateLimitUser ? new UserCalls(ctx, rateLimitUser) : undefined;
  if (byUser) ctx.beforeClose(() => byUser.store());
  return { byAddress, byUser };
}

/** Counts the call for its address; whatever is answered tells where the caller stands. */
export function rateLimited(parts: Parts): MiddlewareHandler<Env> {
  const { config } = parts.ctx;
  const { byAddress } = parts.limits;
  const policy = policyOf(config);
  const limit: MiddlewareHandler<Env> = async (c, next) => {
    if (policy !== '') c.header('RateLimit-Policy', policy);
    if (byAddress) judge(c, 'ip', config.rateLimitIp, await byAddress.take(addressOf(c, parts)));
    await next();
  };
  return noted(limit, {
    tells: ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
    refuses: [429],
  });
}

/** Counts the call for the user who has proved to be its caller. */
export async function countForUser(c: HonoContext<Env>, { ctx, limits }: Parts, user: UserRow) {
  if (limits.byUser) judge(c, 'user', ctx.config.rateLimitUser, await limits.byUser.take(user.id));
}

function judge(c: HonoContext<Env>, name: LimitName, limit: number, standing: Standing): void {
  const standings = [...(c.get('standings') ?? []), { name, limit, ...standing }];
  c.set('standings', standings);
  tell(c, standings);
  if (standing.isWithin) return;
  const wait = String(seconds(standing));
  throw new HttpError(429, 'Too Many Requests', {
    headers: { 'Retry-After': wait, 'X-RateLimit-Retry-After': wait },
  });
}

function policyOf({ rateLimitIp, rateLimitUser }: Config): string {
  const limits = { ip: rateLimitIp, user: rateLimitUser };
  return (Object.keys(limits) as LimitName[])
    .filter((name) => limits[name] > 0)
    .map((name) => `"${name}";q=${limits[name]};w=${WINDOW_S[name]}`)
    .join(', ');
}

function tell(c: HonoContext<Env>, standings: readonly LimitStanding[]): void {
  const { limit, remaining } = standings.reduce(tighter);
  c.header('X-RateLimit-Limit', String(limit));
  c.header('X-RateLimit-Remaining', String(remaining));
  const items = standings.map((each) => `"${each.name}";r=${each.remaining};t=${seconds(each)}`);
  c.header('RateLimit', items.join(', '));
}

/** The one that refused, else the one with the least left. */
function tighter(a: LimitStanding, b: LimitStanding): LimitStanding {
  if (a.isWithin !== b.isWithin) return a.isWithin ? b : a;
  return b.remaining < a.remaining ? b : a;
}

function seconds({ waitMs }: Standing): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
