/** Each call's id, its line in the log and its share of the metrics. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Env, Parts } from '../parts.js';

const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** The caller's own id if it is a usable one, else a new one. */
export function callId(given: string | undefined): string {
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Gives each call an id and logs one line about it. */
export function logged(parts: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const begun = performance.now();
    const requestId = callId(c.req.header('X-Request-Id'));
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    await next();
    const { method } = c.req;
    noteAnswer(parts, { method, route: routeOf(c), status: c.res.status, requestId, begun });
  };
}

/** The pattern of the route that answered. */
export function routeOf(c: Parameters<typeof matchedRoutes>[0]): string {
  return matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';
}

interface Answer {
  method: string;
  /** Never the path. */
  route: string;
  status: number;
  requestId: string;
  /** By `performance.now()`. */
  begun: number;
}

/** Logs and measures an answer by its route, never by its path, query, body or tokens. */
export function noteAnswer({ ctx, metrics }: Parts, { begun, requestId, ...answer }: Answer): void {
  const ms = performance.now() - begun;
  metrics.answered({ ...answer, seconds: ms / 1000 });
  const line = { ...answer, ms: Math.round(ms * 10) / 10, httpRequestId: requestId };
  if (QUIET.has(answer.route)) ctx.log.debug(line, 'request');
  else ctx.log.info(line, 'request');
}
