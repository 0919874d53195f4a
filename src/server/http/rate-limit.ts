/**
 * The limits of the API (rules 11): calls a minute per address, counted before authentication, and calls an hour per
 * user. Every answer says how much is left; a call above a limit is 429 and says how long to wait.
 */
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../../core/settings/config.js';
import type { Context } from '../../core/context.js';
import { keysOf } from '../../core/pick.js';
import { SlidingWindow, type Quota } from '../../core/calls/sliding-window.js';
import type { UserRow } from '../../core/users/rights.js';
import { UserCalls } from '../../core/users/user-calls.js';
import { addressOf } from './client-address.js';
import { describes } from '../api/docs/operation.js';
import { HttpError } from './errors.js';
import type { Call, Env, LimitName, LimitQuota, Parts, RateLimits } from '../parts.js';

/** In seconds, by their names in the RateLimit headers. */
const WINDOW_S: Record<LimitName, number> = { ip: 60, user: 3600 };

export function createRateLimits(ctx: Context): RateLimits {
  const { rateLimitIp, rateLimitUser } = ctx.config;
  const byAddress = rateLimitIp ? new SlidingWindow(ctx.clock, { windowMs: WINDOW_S.ip * 1000 }) : undefined;
  const byUser = rateLimitUser ? new UserCalls(ctx, rateLimitUser) : undefined;
  if (byUser) ctx.beforeClose(() => byUser.store());
  return { byAddress, byUser };
}

/** Counts the call for its address; every answer shows the quota. */
export function rateLimited(parts: Parts): MiddlewareHandler<Env> {
  const { config } = parts.ctx;
  const { byAddress } = parts.limits;
  const policy = policyOf(config);
  const limit: MiddlewareHandler<Env> = async (c, next) => {
    if (policy !== '') c.header('RateLimit-Policy', policy);
    const { rateLimitIp } = config;
    if (byAddress) judge(c, 'ip', rateLimitIp, byAddress.take(addressOf(c, parts), rateLimitIp));
    await next();
  };
  return describes(limit, {
    sets: ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
    refuses: [429],
  });
}

export function countForUser(c: Call, { ctx, limits }: Parts, user: UserRow): void {
  if (limits.byUser) judge(c, 'user', ctx.config.rateLimitUser, limits.byUser.take(user.id));
}

function judge(c: Call, name: LimitName, limit: number, quota: Quota): void {
  const quotas = [...(c.get('quotas') ?? []), { name, limit, ...quota }];
  c.set('quotas', quotas);
  for (const [header, value] of headersOf(quotas)) c.header(header, value);
  if (quota.isWithin) return;
  const wait = String(seconds(quota));
  throw new HttpError(429, 'Too Many Requests', {
    headers: { 'Retry-After': wait, 'X-RateLimit-Retry-After': wait },
  });
}

function policyOf({ rateLimitIp, rateLimitUser }: Config): string {
  const limits = { ip: rateLimitIp, user: rateLimitUser };
  return keysOf(limits)
    .filter((name) => limits[name] > 0)
    .map((name) => `"${name}";q=${limits[name]};w=${WINDOW_S[name]}`)
    .join(', ');
}

/** How a call stands with the limits that counted it. */
export function headersOf(quotas: readonly LimitQuota[]): [name: string, value: string][] {
  if (quotas.length === 0) return [];
  const { limit, remaining } = quotas.reduce(tighter);
  const items = quotas.map((each) => `"${each.name}";r=${each.remaining};t=${seconds(each)}`);
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['RateLimit', items.join(', ')],
  ];
}

/** The one that refused, else the one with the least left. */
function tighter(a: LimitQuota, b: LimitQuota): LimitQuota {
  if (a.isWithin !== b.isWithin) return a.isWithin ? b : a;
  return b.remaining < a.remaining ? b : a;
}

function seconds({ waitMs }: Quota): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
