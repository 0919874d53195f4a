/** What routes work with, and what a call carries from middleware to handler. */
import type { Context as HonoContext } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { PdfFile } from '../core/contracts/contract-files.js';
import type { Context } from '../core/context.js';
import { LoginThrottle } from '../core/users/login-throttle.js';
import type { UserRow } from '../core/users/rights.js';
import { AccessTokens } from '../core/users/tokens.js';
import type { AdminSession } from './admin/frame/session.js';
import { trustedProxies } from './http/client-address.js';
import { DaemonMetrics } from './operations/metrics.js';
import { createRateLimits, type LimitQuota, type RateLimits } from './http/rate-limit.js';
import type { Rendered } from './api/respond.js';

export interface Parts {
  ctx: Context;
  tokens: AccessTokens;
  logins: LoginThrottle;
  limits: RateLimits;
  metrics: DaemonMetrics;
  isTrustedProxy: (address: string) => boolean;
}

export interface Env {
  /** Absent in tests that call the routes without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The call's quota with each limit that counted it. */
    quotas?: LimitQuota[];
    /** The caller; only behind `authenticated`. */
    user: UserRow;
    /** The agreed media type of the answer. */
    mediaType: string;
    /** The page that was sent, if it may be sent again. */
    page?: Rendered;
    /** The back-office session; always there behind `signedIn`. */
    session?: AdminSession;
    /** Binds the log-in form to this browser. */
    login?: string;
    /** The posted form; only behind `guardedForm`. */
    form: URLSearchParams;
    /** The one that came with it. */
    pdf?: PdfFile | undefined;
  };
}

export type Call = HonoContext<Env>;

export function createParts(ctx: Context, metrics = new DaemonMetrics()): Parts {
  return {
    ctx,
    tokens: new AccessTokens(ctx),
    logins: new LoginThrottle(ctx.clock),
    limits: createRateLimits(ctx),
    metrics,
    isTrustedProxy: trustedProxies(ctx.config.trustedProxies),
  };
}
