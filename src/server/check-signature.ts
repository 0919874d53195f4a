/** /check_signature/request/{id} (rules 4): for JSON clients with an administrator's token or session, and for people in the back office. */
import { Hono } from 'hono';
import { z } from 'zod';
import { writerOf } from '../core/commands.js';
import { checkSignature } from '../core/signature/check-signature.js';
import { text } from '../core/texts/index.js';
import { actorOf, mustBeAdmin } from '../core/users/rights.js';
import { checkOrAsk, forBrowsers, tokenOrSession } from './admin/check-page.js';
import { documented } from './docs/notes.js';
import { HttpError } from './errors.js';
import { idParam } from './iri.js';
import { withoutHead } from './middleware.js';
import type { Env, Parts } from './parts.js';

const PATH = '/check_signature/request/:id{[0-9]+}';
const CHECK = documented({
  title: 'Asks the provider what became of a signature, and follows its answer',
  about:
    'Scripts of the back office need no token: with `Sec-Fetch-Site: same-origin` the session is enough.',
  group: 'Request',
  isForAdministrators: true,
  returns: {
    status: 200,
    about: 'What the provider says, and what was done.',
    schema: z.object({
      type: z.enum(['success', 'info']),
      key: z.string().meta({ examples: ['check_signature_success'] }),
      params: z.record(z.string(), z.string()).meta({ examples: [{}] }),
      message: z.string().meta({ examples: [text('en', 'check_signature_success')] }),
    }),
  },
  refuses: [409, 422, 503],
  bare: { 303: 'A browser is led to the page of the request, or to the log-in page.' },
});

export function checkSignatureRoutes(parts: Parts) {
  const { ctx } = parts;
  // Browsers never send a bearer token on their own, so it needs no further proof of intent.
  return new Hono<Env>().get(
    PATH,
    CHECK,
    withoutHead(),
    forBrowsers(parts, checkOrAsk),
    tokenOrSession(parts),
    async (c) => {
      mustBeAdmin(c.get('user'));
      const result = await checkSignature(ctx, idParam(c), { actor: actorOf(c.get('user')) });
      const { type, key, params, words = key } = result;
      const message = text(ctx.config.locale, words, params, writerOf(ctx.config));
      if (type === 'error') throw new HttpError(422, message, { members: { type, key, params } });
      c.header('Cache-Control', 'no-store');
      return c.json({ type, key, params, message });
    },
  );
}
