/** Counts calls per minute and per hour and tells the caller on every answer how many are left. */
import type { MiddlewareHandler } from 'hono';
import type { GateEnv } from '../fault-gate.js';
import type { World } from '../world.js';
import { tooMany } from './problems.js';

type Window = { lengthMs: number; limit: number; startedAt: number; used: number };

export function rateLimit(world: World): MiddlewareHandler<GateEnv> {
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
