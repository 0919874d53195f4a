/** What every call of the signature API passes before its handler runs. */
import type { MiddlewareHandler } from 'hono';
import { innerGate, outerGate, type GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import { FAULT_ANSWERS, tooMany, wrongKey } from './problems.js';

type Handler = MiddlewareHandler<GateEnv>;
export type Guard = (
  operation: string,
  pageOf?: (query: Record<string, string>) => number,
) => [Handler, Handler, Handler, Handler];

export function createGuard(world: World): Guard {
  // One limiter for all operations: the provider counts all calls together.
  const limit = rateLimit(world);
  const authenticate = bearerOnly(world);
  const inner = innerGate(world, FAULT_ANSWERS);
  return (operation, pageOf) => [
    limit,
    outerGate(world, 'signature', operation, FAULT_ANSWERS, pageOf),
    authenticate,
    inner,
  ];
}

function bearerOnly(world: World): Handler {
  return (c, next) => {
    if (c.req.header('Authorization') === `Bearer ${world.settings.apiKey}`) return next();
    throw wrongKey();
  };
}

type Window = { lengthMs: number; limit: number; startedAt: number; used: number };

/** Counts calls per minute and per hour; every answer says how many are left. */
function rateLimit(world: World): Handler {
  const { minute, hour } = world.settings.rateLimit;
  const perMinute: Window = { lengthMs: 60_000, limit: minute, startedAt: 0, used: 0 };
  const perHour: Window = { lengthMs: 3_600_000, limit: hour, startedAt: 0, used: 0 };
  return async (c, next) => {
    const now = world.now();
    for (const window of [perMinute, perHour]) turn(window, now);
    const over = [perMinute, perHour].find(({ used, limit }) => used > limit);
    c.header('x-ratelimit-limit-minute', String(minute));
    c.header('x-ratelimit-remaining-minute', String(Math.max(0, minute - perMinute.used)));
    c.header('x-ratelimit-limit-hour', String(hour));
    c.header('x-ratelimit-remaining-hour', String(Math.max(0, hour - perHour.used)));
    c.header('RateLimit-Limit', String(minute));
    c.header('RateLimit-Remaining', String(Math.max(0, minute - perMinute.used)));
    c.header('Ratelimit-Reset', String(secondsLeft(perMinute, now)));
    if (over) return tooMany(c, secondsLeft(over, now));
    return next();
  };
}

function turn(window: Window, now: number): void {
  if (now >= window.startedAt + window.lengthMs) {
    window.startedAt = now;
    window.used = 0;
  }
  window.used += 1;
}

function secondsLeft({ startedAt, lengthMs }: Window, now: number): number {
  return Math.max(1, Math.ceil((startedAt + lengthMs - now) / 1000));
}
