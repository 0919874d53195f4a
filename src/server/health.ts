/** /healthz: the process answers. /readyz: it can do its work. For machines that watch it; no log-in, nothing told. */
import { Hono } from 'hono';
import { listUnready } from '../core/readiness.js';
import type { Env, Parts } from './parts.js';

export function healthRoutes({ ctx }: Parts) {
  return new Hono<Env>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const unready = await listUnready(ctx);
      return unready.length === 0
        ? c.json({ status: 'ok' })
        : c.json({ status: 'unready', notReady: unready }, 503);
    });
}
