/**
 * All routes of the daemon. The version in `/api/v1/…` and a slash at the end are removed before routing, so all
 * spellings of a path behave alike (rules 6).
 */
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Context } from '../core/context.js';
import { adminRoutes } from './admin/admin.js';
import { contractRoutes } from './api/contracts.js';
import { docsPageRoutes, docsRoutes } from './api/docs/routes.js';
import { equipmentRoutes } from './api/equipments.js';
import { importRoutes } from './api/import.js';
import { loginRoutes } from './api/login.js';
import { offerRoutes } from './api/offers.js';
import { reportRoutes } from './api/report.js';
import { priceRoutes } from './api/prices.js';
import { requestRoutes, requestActRoutes } from './api/requests.js';
import { troubleshootingRoutes } from './api/troubleshootings.js';
import { userRoutes } from './api/users.js';
import { webhookDeliveryRoutes, webhookRoutes } from './api/webhooks.js';
import { checkSignatureRoutes } from './api/check-signature.js';
import { answerError, HttpError, sendError } from './http/errors.js';
import { healthRoutes, homeRoutes, metricsRoutes } from './operations/routes.js';
import { canonicalPath } from './api/iri.js';
import { contractSigned, paymentWebhook } from './webhooks/inbound.js';
import { logged } from './http/call-log.js';
import { apiHeaders, methodNotAllowed } from './api/middleware.js';
import { passwordRoutes } from './api/password.js';
import { payRoutes } from './customer/pay.js';
import type { Env, Parts } from './parts.js';
import { createRateLimits, rateLimited } from './http/rate-limit.js';
import { trustedProxies } from './http/client-address.js';
import { LoginThrottle } from '../core/users/authenticate.js';
import { AccessTokens } from '../core/users/tokens.js';
import { DaemonMetrics } from './operations/metrics.js';
import { cors, securityHeaders } from './http/headers.js';

export type App = Hono<Env>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `metrics`: the ones `ctx` reports to; a fresh set by default. */
export function createApp(ctx: Context, metrics = new DaemonMetrics()): App {
  const parts = createParts(ctx, metrics);
  const app = new Hono<Env>({ getPath: (request) => canonicalPath(getPath(request)) });
  app.use(logged(parts));
  app.use(securityHeaders(parts));
  app.use('/api/*', apiHeaders(parts));
  // Before the limits: a browser hides a 429 without CORS headers from the calling page.
  if (ctx.config.corsOrigins.length > 0) app.use('/api/*', cors(ctx.config.corsOrigins));
  app.use('/api/*', rateLimited(parts));
  app.use('/check_signature/*', rateLimited(parts));
  app.route('/', homeRoutes());
  app.route('/', healthRoutes(parts));
  app.route('/', metricsRoutes(parts));
  app.route('/', contractSigned(parts));
  app.route('/', paymentWebhook(parts));
  app.route('/', checkSignatureRoutes(parts));
  app.route('/', adminRoutes(parts));
  app.route('/', payRoutes(parts));
  app.route('/', passwordRoutes(parts));
  app.route('/', docsRoutes(parts, app));
  app.route('/', docsPageRoutes());
  app.route('/', loginRoutes(parts));
  app.route('/', userRoutes(parts));
  app.route('/', requestRoutes(parts));
  app.route('/', requestActRoutes(parts));
  app.route('/', reportRoutes(parts));
  app.route('/', importRoutes(parts));
  app.route('/', contractRoutes(parts));
  app.route('/', equipmentRoutes(parts));
  app.route('/', offerRoutes(parts));
  app.route('/', priceRoutes(parts));
  app.route('/', troubleshootingRoutes(parts));
  app.route('/', webhookRoutes(parts));
  app.route('/', webhookDeliveryRoutes(parts));
  app.notFound((c) => sendError(c, noRoute(app, c.req.method, c.req.path)));
  app.onError(answerError(parts));
  return app;
}

/** 405 if another method matches the path, else 404. */
function noRoute(app: App, method: string, path: string): HttpError {
  const allowed = METHODS.filter((each) =>
    app.router.match(each, path)[0].some(([[, route]]) => route.method !== 'ALL'),
  );
  if (allowed.length > 0) return methodNotAllowed(method, path, withHead(allowed, path));
  return new HttpError(404, `No route found for "${method} ${path}"`);
}

/** GET routes answer HEAD, except where GET acts. */
function withHead(allowed: string[], path: string): string[] {
  const actsOnGet = path.startsWith('/check_signature/');
  return allowed.flatMap((method) => (method === 'GET' && !actsOnGet ? ['GET', 'HEAD'] : [method]));
}

function createParts(ctx: Context, metrics: DaemonMetrics): Parts {
  return {
    ctx,
    tokens: new AccessTokens(ctx),
    logins: new LoginThrottle(ctx.clock),
    limits: createRateLimits(ctx),
    metrics,
    isTrustedProxy: trustedProxies(ctx.config.trustedProxies),
  };
}
