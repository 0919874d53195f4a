/** /healthz: the process answers. /readyz: it can do its work. For machines that watch it; no log-in, nothing told. */
import { Hono } from 'hono';
import { z } from 'zod';
import { documented } from './docs/notes.js';
import type { Env, Parts } from './parts.js';

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

export function healthRoutes({ ctx }: Parts) {
  return new Hono<Env>()
    .get('/healthz', LIVES, (c) => c.json({ status: 'ok' }))
    .get('/readyz', READY, async (c) => {
      const unready = await ctx.readiness.listUnready();
      return unready.length === 0
        ? c.json({ status: 'ok' })
        : c.json({ status: 'unready', notReady: unready }, 503);
    });
}
