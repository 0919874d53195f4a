/**
 * GET /check_signature/request/{id} in a browser (rules 4). It changes state, so a link on another site must not
 * trigger it: only a navigation from our own pages acts at once, any other has to be confirmed. Scripts of our pages
 * may ask for JSON; any other script with a session is refused.
 */
import type { MiddlewareHandler, Next } from 'hono';
import { actCalled } from '../../../core/requests/acts.js';
import { beforeAct } from '../../../core/requests/before-act.js';
import { getRequest } from '../../../core/requests/requests.js';
import { checkSignature } from '../../../core/signature/check-signature.js';
import { mustBeAdmin } from '../../../core/users/rights.js';
import { describes, noteOf } from '../../api/docs/notes.js';
import { HttpError } from '../../http/errors.js';
import { chooseType, JSON_TYPE, LD_JSON } from '../../http/media-types.js';
import { authenticated } from '../../api/middleware.js';
import type { Call, Env, Parts } from '../../parts.js';
import { countForUser } from '../../http/rate-limit.js';
import { questionPage } from '../frame/components.js';
import { answerWithPage } from '../frame/error-page.js';
import { PageCall } from '../frame/page-call.js';
import { findSession, toLogin } from '../frame/session.js';

const HTML = 'text/html';

/** Answers browsers with pages; programs, which send a token or want JSON, go on to the next handler. */
export function forBrowsers(parts: Parts, answer: (c: Call, parts: Parts) => Promise<Response>) {
  return async (c: Call, next: Next) => {
    if (!(await isBrowser(c, parts))) return next();
    try {
      const session = await findSession(c, parts);
      if (!session) return toLogin(c);
      c.set('session', session);
      mustBeAdmin(session.user);
      return await answer(c, parts);
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

export function checkOrAsk(c: Call, parts: Parts): Promise<Response> {
  const call = new PageCall(c, parts, 'requests');
  return isMeant(c) ? check(call) : ask(call);
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

/** Like `authenticated`, but accepts the session cookie from scripts of our own pages. */
export function tokenOrSession(parts: Parts): MiddlewareHandler<Env> {
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

const SCRIPT = { modes: ['navigate', 'cors', 'same-origin'], destinations: ['document', 'empty'] };

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
