/** Routes of the service itself, without log-in or details: `/`, /healthz and /readyz. */
import { Hono } from 'hono';
import { z } from 'zod';
import { documented } from '../api/docs/notes.js';
import { API_TITLE } from '../api/docs/words.js';
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
