/** What routes work with, and what a call carries from middleware to handler. Only types: `app.ts` makes them. */
import type { Context as HonoContext } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { PdfFile } from '../core/contracts/contract-files.js';
import type { Quota, SlidingWindow } from '../core/calls/sliding-window.js';
import type { Context } from '../core/context.js';
import type { LoginThrottle } from '../core/users/authenticate.js';
import type { UserRow } from '../core/users/rights.js';
import type { OpenSession } from '../core/users/sessions.js';
import type { AccessTokens } from '../core/users/tokens.js';
import type { UserCalls } from '../core/users/user-calls.js';
import type { DaemonMetrics } from './operations/metrics.js';

export interface Parts {
  ctx: Context;
  tokens: AccessTokens;
  logins: LoginThrottle;
  limits: RateLimits;
  metrics: DaemonMetrics;
  isTrustedProxy: (address: string) => boolean;
}

/** Undefined when a limit is turned off. */
export interface RateLimits {
  byAddress: SlidingWindow | undefined;
  byUser: UserCalls | undefined;
}

/** Calls per address, and per user; so they are called in the RateLimit headers. */
export type LimitName = 'ip' | 'user';

export interface LimitQuota extends Quota {
  name: LimitName;
  limit: number;
}

/** A body to send with its ETag. Text, because Node writes text together with the headers, but bytes separately. */
export interface Rendered {
  text: string;
  etag: string;
}

export interface AdminSession extends OpenSession {
  csrf: string;
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
    pdf?: PdfFile | undefined;
  };
}

export type Call = HonoContext<Env>;
