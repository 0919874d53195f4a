/**
 * GET /check_signature/request/{id} (rules 4): for JSON clients with an administrator's token or session, and for people in the
 * back office. It changes state, so a link on another site must not trigger it: only a navigation from our own pages acts at
 * once, any other has to be confirmed. Scripts of our pages may ask for JSON; any other script with a session is refused.
 */
import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { adviceText, writerOf } from '../../core/commands.js';
import { actCalled, type ActOutcome } from '../../core/requests/acts.js';
import { beforeAct } from '../../core/requests/before-act.js';
import { getRequest } from '../../core/requests/requests.js';
import { checkSignature } from '../../core/signature/check-signature.js';
import { saidParts, text } from '../../core/texts/index.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { questionPage } from '../admin/frame/forms.js';
import { answerWithPage, PageCall } from '../admin/frame/page-call.js';
import { findSession, toLogin } from '../admin/frame/session.js';
import { HttpError } from '../http/errors.js';
import { chooseType, JSON_TYPE, LD_JSON } from '../http/media-types.js';
import { countForUser } from '../http/rate-limit.js';
import type { Call, Env, Parts } from '../parts.js';
import { describes, documented, noteOf, type Answer } from './docs/operation.js';
import { idParam } from './iri.js';
import { authenticated, withoutHead } from './middleware.js';

const HTML = 'text/html';

/** What a check has found, for programs: 200, or 422 with its key. */
export const CHECK_ANSWER: Answer = {
  status: 200,
  about: 'What the provider says, and what was done.',
  schema: z.object({
    type: z.enum(['success', 'info']),
    key: z.string().meta({ examples: ['check_signature_success'] }),
    params: z.record(z.string(), z.string()).meta({ examples: [{}] }),
    message: z.string().meta({ examples: [text('en', 'check_signature_success')] }),
  }),
};

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
  // Browsers never send a bearer token on their own, so it needs no further proof of intent.
  return new Hono<Env>().get(
    '/check_signature/request/:id{[0-9]+}',
    CHECK,
    withoutHead(),
    forBrowsers(parts),
    tokenOrSession(parts),
    async (c) => {
      mustBeAdmin(c.get('user'));
      const by = { actor: actorOf(c.get('user')) };
      return sendCheck(c, parts, await checkSignature(parts.ctx, idParam(c), by));
    },
  );
}

export function sendCheck(
  c: Call,
  { ctx }: Pick<Parts, 'ctx'>,
  { type, key, params = {}, words = key }: Omit<ActOutcome, 'document'>,
): Response {
  const message = adviceText(saidParts(ctx.config.locale, { words, params }), writerOf(ctx.config));
  if (type === 'error') throw new HttpError(422, message, { members: { type, key, params } });
  c.header('Cache-Control', 'no-store');
  return c.json({ type, key, params, message });
}

/** Answers browsers with pages; programs, which send a token or want JSON, go on to the next handler. */
function forBrowsers(parts: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!(await isBrowser(c, parts))) return next();
    try {
      const session = await findSession(c, parts);
      if (!session) return toLogin(c);
      c.set('session', session);
      mustBeAdmin(session.user);
      const call = new PageCall(c, parts, 'requests');
      return await (isMeant(c) ? check(call) : ask(call));
    } catch (error) {
      return answerWithPage(parts)(error as Error, c);
    }
  };
}

async function isBrowser(c: Call, parts: Parts): Promise<boolean> {
  if (c.req.header('Authorization') !== undefined) return false;
  const accept = c.req.header('Accept');
  if (accept?.includes(HTML)) return chooseType(accept, [HTML, JSON_TYPE, LD_JSON]) === HTML;
  return !/json/i.test(accept ?? '') && (await findSession(c, parts)) !== undefined;
}

/** A click on one of our own pages, not in a frame. */
function isMeant(c: Call): boolean {
  const isClick = comesFromUs(c, { modes: ['navigate'], destinations: ['document'] });
  return isClick && c.req.query('confirm') === undefined;
}

/** From one of our pages and not prefetched, as the browser says; old browsers omit mode and destination. */
function comesFromUs(c: Call, { modes, destinations }: { modes: string[]; destinations: string[] }): boolean {
  const header = (name: string) => c.req.header(name) ?? '';
  return (
    header('Sec-Fetch-Site') === 'same-origin' &&
    ['', ...modes].includes(header('Sec-Fetch-Mode')) &&
    ['', ...destinations].includes(header('Sec-Fetch-Dest')) &&
    !/prefetch|prerender/i.test(header('Sec-Purpose') + header('Purpose'))
  );
}

const SCRIPT = { modes: ['navigate', 'cors', 'same-origin'], destinations: ['document', 'empty'] };

/** Like `authenticated`, but accepts the session cookie from scripts of our own pages. */
function tokenOrSession(parts: Parts): MiddlewareHandler<Env> {
  const byToken = authenticated(parts);
  const identify: MiddlewareHandler<Env> = async (c, next) => {
    const session = c.req.header('Authorization') === undefined ? await findSession(c, parts) : undefined;
    if (!session) return byToken(c, next);
    if (!comesFromUs(c, SCRIPT))
      throw new HttpError(403, 'A session counts only on pages of the back office. Send a token.');
    countForUser(c, parts, session.user);
    c.set('user', session.user);
    return next();
  };
  return describes(identify, noteOf(byToken));
}

async function check(call: PageCall): Promise<Response> {
  const { ctx, id, actor } = call;
  return call.goTo(`/admin/requests/${id}`, await checkSignature(ctx, id, { actor }));
}

function ask(call: PageCall): Promise<Response> {
  const { ctx, view } = call;
  const request = getRequest(ctx, call.id);
  const back = `/admin/requests/${request.id}`;
  const act = actCalled('check-signature');
  const { question: text } = beforeAct(ctx, request, act);
  return call.send(questionPage(view, { text, yes: view.t(act.label), action: `${back}/${act.name}`, back }));
}
