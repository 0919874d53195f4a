/** Middleware of the API: its headers, authentication, content negotiation. */
import type { MiddlewareHandler } from 'hono';
import { checkContentType, PATCH_TYPES } from '../http/body.js';
import { describes } from './docs/operation.js';
import { HttpError } from '../http/errors.js';
import { canonicalPath } from './iri.js';
import { chooseType, NEGOTIATED } from '../http/media-types.js';
import type { Env, Parts } from '../parts.js';
import { countForUser } from '../http/rate-limit.js';

type Middleware = MiddlewareHandler<Env>;

/** The headers of every API answer, including refusals, where Hydra clients look for the Link too. */
export function apiHeaders({ ctx }: Parts): Middleware {
  const docs = `<${ctx.config.baseUrl}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
  return (c, next) => {
    c.header('Link', docs, { append: true });
    c.header('Vary', 'Accept', { append: true });
    // Parsing every address would cost more than all other headers together.
    if (/\/api\/v1|\/(?:\?|$)/.test(c.req.url)) {
      const { pathname } = new URL(c.req.url);
      // Keep it encoded: the decoded path may not be valid in a header.
      const canonical = canonicalPath(pathname);
      if (canonical !== pathname) c.header('Link', `<${canonical}>; rel="canonical"`, { append: true });
    }
    return next();
  };
}

/** Requires a valid token (rules 6) and sets the user. */
export function authenticated(parts: Parts): Middleware {
  const check: Middleware = async (c, next) => {
    const token = bearerOf(c.req.header('Authorization'));
    if (token === undefined) throw unauthorized('JWT Token not found');
    const verification = await parts.tokens.verify(token);
    switch (verification.type) {
      case 'expired':
        throw unauthorized('Expired JWT Token');
      case 'invalid':
        throw unauthorized('Invalid JWT Token');
      case 'valid':
        countForUser(c, parts, verification.user);
        c.set('user', verification.user);
        return next();
    }
  };
  return describes(check, { isSecured: true, refuses: [401] });
}

/** The bearer token of an Authorization header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1];
}

export function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Chooses the media type of the answer, or throws 406. */
export function negotiated(offers: readonly string[] = NEGOTIATED): Middleware {
  const agree: Middleware = (c, next) => {
    const accept = c.req.header('Accept');
    const type = chooseType(accept, offers);
    if (!type) {
      throw new HttpError(
        406,
        `Requested format "${accept}" is not supported. Supported MIME types are "${offers.join('", "')}".`,
      );
    }
    c.set('mediaType', type);
    return next();
  };
  return describes(agree, { offers, refuses: [406] });
}

/** Throws 415 for a body in any other media type, before anything is looked up. */
export function consumes(supported: readonly string[]): Middleware {
  const check: Middleware = (c, next) => {
    checkContentType(c, supported);
    return next();
  };
  return describes(check, { consumes: supported });
}

/** Sets `Accept-Patch` on every answer for an item, including refusals (RFC 5789). */
export function patchable(): Middleware {
  const tell: Middleware = (c, next) => {
    c.header('Accept-Patch', PATCH_TYPES.join(', '));
    return next();
  };
  return describes(tell, { sets: ['Accept-Patch'] });
}

/** HEAD runs the GET handler; this refuses HEAD where GET acts. */
export function withoutHead(): Middleware {
  return (c, next) => {
    if (c.req.method === 'HEAD') throw methodNotAllowed('HEAD', c.req.path, ['GET']);
    return next();
  };
}

export function methodNotAllowed(method: string, path: string, allowed: string[]): HttpError {
  const allow = allowed.join(', ');
  return new HttpError(405, `No route found for "${method} ${path}": Method Not Allowed (Allow: ${allow})`, {
    headers: { Allow: allow },
  });
}
