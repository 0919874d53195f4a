/** Headers of every answer: against framing, sniffing, referrers and caching by default; and CORS for the origins that are listed. */
import type { MiddlewareHandler } from 'hono';
import { cors as corsHeaders } from 'hono/cors';
import { HEADERS } from '../api/docs/openapi-headers.js';
import type { Env, Parts } from '../parts.js';

export const FOR_ALL = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'deny',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};
/** Only with an https base address; browsers ignore it over http. */
const ONLY_HTTPS = { 'Strict-Transport-Security': 'max-age=31536000' };

export function securityHeaders({ ctx }: Parts): MiddlewareHandler<Env> {
  const isHttps = ctx.config.baseUrl.startsWith('https:');
  const headers = Object.entries({ ...FOR_ALL, ...(isHttps && ONLY_HTTPS) });
  return (c, next) => {
    // Before the route, which may override them; setting them on a finished answer would cost more.
    for (const [name, value] of headers) c.header(name, value);
    return next();
  };
}

const OPTIONS = {
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Content-Type',
    'Authorization',
    'If-None-Match',
    'If-Match',
    'Idempotency-Key',
    'X-Request-Id',
  ],
  exposeHeaders: Object.keys(HEADERS),
  maxAge: 3600,
};

/**
 * Lets pages of the origins in ESIGN_CORS_ORIGINS call the API with a bearer token, never with cookies. Other origins
 * get no CORS headers, so browsers withhold the answer from them.
 *
 * A preflight of a listed origin is answered here and not counted by the limits: it reaches nothing and carries no
 * token, and a refusal would look like a network error. Any other OPTIONS counts like every call.
 */
export function cors(origins: readonly string[]): MiddlewareHandler<Env> {
  // hono/cors would answer every OPTIONS and show strangers methods and headers.
  const forListed = corsHeaders({ ...OPTIONS, origin: [...origins] });
  return (c, next) => {
    const isListed = origins.includes(c.req.header('Origin') ?? '');
    const isPreflight = c.req.header('Access-Control-Request-Method') !== undefined;
    if (isListed && (c.req.method !== 'OPTIONS' || isPreflight)) return forListed(c, next);
    c.header('Vary', 'Origin', { append: true });
    return next();
  };
}
