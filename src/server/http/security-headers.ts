/** Default security headers of every answer: no framing, no sniffing, no referrer, no caching. */
import type { MiddlewareHandler } from 'hono';
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
