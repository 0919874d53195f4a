/** What the routes work with, and what a request carries from its middleware to its handler. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from '../core/context.js';
import { LoginThrottle } from '../core/users/login-throttle.js';
import type { UserRow } from '../core/users/rights.js';
import { AccessTokens } from '../core/users/tokens.js';
import type { Visit } from './admin/visit.js';
import { trustedProxies } from './client-address.js';
import { Measures } from './measures.js';
import { PageMemory } from './page-memory.js';
import { createRateLimits, type LimitStanding, type RateLimits } from './rate-limit.js';

export interface Parts {
  ctx: Context;
  tokens: AccessTokens;
  logins: LoginThrottle;
  limits: RateLimits;
  pages: PageMemory;
  measures: Measures;
  isTrustedProxy: (address: string) => boolean;
}

export interface Env {
  /** Absent in tests that call the routes without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Where the call stands with each limit that counted it. */
    standings?: LimitStanding[];
    /** Who calls; only behind `authenticated`. */
    user: UserRow;
    /** The agreed media type of the answer. */
    mediaType: string;
    /** Whose session of the back office it is; only behind `signedIn`. */
    visit: Visit;
    /** What binds the log-in form to this browser, once it has been given. */
    login?: string;
    /** What was sent; only behind `guardedForm`. */
    form: URLSearchParams;
  };
}

export function createParts(ctx: Context, measures = new Measures()): Parts {
  return {
    ctx,
    tokens: new AccessTokens(ctx),
    logins: new LoginThrottle(ctx.clock),
    limits: createRateLimits(ctx),
    pages: new PageMemory(ctx),
    measures,
    isTrustedProxy: trustedProxies(ctx.config.trustedProxies),
  };
}
