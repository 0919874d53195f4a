/**
 * Lets pages of the origins in ESIGN_CORS_ORIGINS call the API with a bearer token, never with cookies. Other origins
 * get no CORS headers, so browsers withhold the answer from them.
 *
 * A preflight of a listed origin is answered here and not counted by the limits: it reaches nothing and carries no
 * token, and a refusal would look like a network error. Any other OPTIONS counts like every call.
 */
import type { MiddlewareHandler } from 'hono';
import { cors as corsHeaders } from 'hono/cors';
import { HEADERS } from '../api/docs/openapi-headers.js';
import type { Env } from '../parts.js';

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
