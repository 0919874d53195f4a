/** /check_signature/request/{id} (rules 4): for JSON clients with an administrator's token or session, and for people in the back office. */
import { Hono } from 'hono';
import { checkSignature } from '../../core/signature/check-signature.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { checkOrAsk, forBrowsers, tokenOrSession } from '../admin/acts/check.js';
import { CHECK_ANSWER, sendCheck } from './check-answer.js';
import { documented } from './docs/notes.js';
import { idParam } from './iri.js';
import { withoutHead } from './middleware.js';
import type { Env, Parts } from '../parts.js';

const PATH = '/check_signature/request/:id{[0-9]+}';
const CHECK = documented({
  title: 'Asks the provider what became of a signature, and follows its answer',
  about:
    'Scripts of the back office need no token: with `Sec-Fetch-Site: same-origin` the session is enough.',
  group: 'Request',
  isForAdministrators: true,
  returns: CHECK_ANSWER,
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
      const by = { actor: actorOf(c.get('user')) };
      return sendCheck(c, parts, await checkSignature(ctx, idParam(c), by));
    },
  );
}
