/** Routes of the service itself, without log-in: `/`, /healthz, /readyz and /metrics. */
import { Hono, type Context as HonoContext } from 'hono';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isSame } from '../../core/is-same.js';
import { API_TITLE, documented } from '../api/docs/operation.js';
import { bearerOf, unauthorized } from '../api/middleware.js';
import { HttpError } from '../http/errors.js';
import { chooseType, JSON_TYPE } from '../http/media-types.js';
import type { Env, Parts } from '../parts.js';

const HTML = 'text/html';

const HOME = documented({
  title: 'Says where the API is',
  group: 'Service',
  returns: {
    status: 200,
    about: 'Where the API and its documentation are.',
    schema: z.object({
      title: z.string().meta({ examples: [API_TITLE] }),
      api: z.literal('/api'),
      documentation: z.literal('/api/docs'),
    }),
  },
  bare: { 303: 'A browser is redirected to the back office.' },
});

/** Redirects browsers to the back office, and shows programs where the API is. */
export function homeRoutes() {
  return new Hono<Env>().get('/', HOME, (c) => {
    c.header('Vary', 'Accept', { append: true });
    const wish = chooseType(c.req.header('Accept'), [JSON_TYPE, HTML]);
    if (wish === HTML) return c.redirect('/admin', 303);
    return c.json({ title: API_TITLE, api: '/api', documentation: '/api/docs' });
  });
}

const OK = {
  status: 200,
  about: 'It is well.',
  schema: z.object({ status: z.literal('ok') }),
} as const;
const LIVES = documented({ title: 'Says that the service lives', group: 'Service', returns: OK });
const READY = documented({
  title: 'Says whether the service can do its work',
  group: 'Service',
  returns: OK,
  bare: { 503: 'What is not ready.' },
});

/** /healthz: the process answers. /readyz: it can do its work. */
export function healthRoutes({ ctx }: Parts) {
  return new Hono<Env>()
    .get('/healthz', LIVES, (c) => c.json({ status: 'ok' }))
    .get('/readyz', READY, async (c) => {
      const unready = await ctx.readiness.listUnready();
      return unready.length === 0
        ? c.json({ status: 'ok' })
        : c.json({ status: 'unready', notReady: unready, fix: ctx.readiness.fix }, 503);
    });
}

const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'];

const METRICS = documented({
  title: 'Tells its measures to Prometheus',
  about: 'To this machine, or with the token of `ESIGN_METRICS_TOKEN`.',
  group: 'Service',
  returns: { status: 200, about: 'The metrics.', mediaTypes: ['text/plain'] },
  refuses: [401, 403],
});

/** Gives the metrics to Prometheus: on this machine, or anywhere with the token of `ESIGN_METRICS_TOKEN`. */
export function metricsRoutes({ ctx, metrics }: Parts) {
  metrics.watch(ctx);
  return new Hono<Env>().get('/metrics', METRICS, async (c) => {
    if (!isLocal(c)) checkToken(c, ctx.config.metricsToken);
    const { text, contentType } = await metrics.page();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
}

function isLocal(c: HonoContext<Env>): boolean {
  const peer = c.env?.incoming?.socket.remoteAddress;
  if (peer === undefined || FORWARDED.some((name) => c.req.header(name) !== undefined)) return false;
  return ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback';
}

function checkToken(c: HonoContext<Env>, token: string | undefined): void {
  if (token === undefined) throw new HttpError(403, 'Access Denied.');
  const given = bearerOf(c.req.header('Authorization'));
  if (given === undefined || !isSame(given, token)) throw unauthorized('Metrics token not found');
}
