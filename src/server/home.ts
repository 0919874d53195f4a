/** `/`: a browser is led to the back office; a program is told where the API is. */
import { Hono } from 'hono';
import { z } from 'zod';
import { documented } from './docs/notes.js';
import { API_TITLE } from './docs/words.js';
import { chooseType, JSON_TYPE } from './media-types.js';
import type { Env } from './parts.js';

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

export function homeRoutes() {
  return new Hono<Env>().get('/', HOME, (c) => {
    c.header('Vary', 'Accept', { append: true });
    const wish = chooseType(c.req.header('Accept'), [JSON_TYPE, HTML]);
    if (wish === HTML) return c.redirect('/admin', 303);
    return c.json({ title: API_TITLE, api: '/api', documentation: '/api/docs' });
  });
}
