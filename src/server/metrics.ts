/**
 * GET /metrics: for Prometheus on this machine, or anywhere with the token of `ESIGN_METRICS_TOKEN`. A proxy on this
 * machine calls from this machine too, so whatever was forwarded is nobody local.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type Context as HonoContext } from 'hono';
import ipaddr from 'ipaddr.js';
import { documented } from './docs/notes.js';
import { HttpError } from './errors.js';
import { unauthorized } from './middleware.js';
import type { Env, Parts } from './parts.js';

const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'];

const METRICS = documented({
  title: 'Tells its measures to Prometheus',
  about: 'To this machine, or with the token of `ESIGN_METRICS_TOKEN`.',
  group: 'Service',
  returns: { status: 200, about: 'The measures.', mediaTypes: ['text/plain'] },
  refuses: [401, 403],
});

export function metricsRoutes({ ctx, measures }: Parts) {
  measures.watch(ctx);
  return new Hono<Env>().get('/metrics', METRICS, async (c) => {
    if (!isLocal(c)) checkToken(c, ctx.config.metricsToken);
    const { text, contentType } = await measures.page();
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
  const given = /^Bearer ([^\s,]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (given === undefined || !isSame(given, token)) throw unauthorized('Metrics token not found');
}

/** Digests have one length, so the comparison takes the same time whatever was given. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
