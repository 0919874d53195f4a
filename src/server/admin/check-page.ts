/**
 * GET /check_signature/request/{id} in a browser (spec 4.9; decisions 4). It changes something, so a link on another
 * site must not be enough: only a navigation from our own pages acts at once, any other is asked about first. A script of
 * our pages may ask for JSON; any other that comes with a session is refused.
 */
import type { MiddlewareHandler, Next } from 'hono';
import { getRequest } from '../../core/requests/get-request.js';
import { checkSignature } from '../../core/signature/check-signature.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { noted, noteOf } from '../docs/notes.js';
import { HttpError } from '../errors.js';
import { idParam } from '../iri.js';
import { chooseType, JSON_TYPE, LD_JSON } from '../media-types.js';
import { authenticated } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { countForUser } from '../rate-limit.js';
import { confirmation } from './confirm.js';
import { answerWithPage } from './error-page.js';
import { flashOf } from './outcome.js';
import { goTo, sendPage, viewOf } from './respond.js';
import { findVisit, toLogin, type Call } from './visit.js';

const HTML = 'text/html';

/** Answers people with pages and leaves programs, which send a token or want JSON, to the next handler. */
export function forBrowsers(parts: Parts, answer: (c: Call, parts: Parts) => Promise<Response>) {
  return async (c: Call, next: Next) => {
    if (!(await isBrowser(c, parts))) return next();
    try {
      const visit = await findVisit(c, parts);
      if (!visit) return toLogin(c);
      c.set('visit', visit);
      mustBeAdmin(visit.user);
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
  return !/json/i.test(accept ?? '') && (await findVisit(c, parts)) !== undefined;
}

export function checkOrAsk(c: Call, parts: Parts): Promise<Response> {
  return isMeant(c) ? check(c, parts) : ask(c, parts);
}

/** A click on one of our own pages; not one shown inside of something else. */
function isMeant(c: Call): boolean {
  const isClick = comesFromUs(c, { modes: ['navigate'], destinations: ['document'] });
  return isClick && c.req.query('confirm') === undefined;
}

/** From a page of ours, and not fetched ahead, as the browser itself says; only old ones leave mode and destination out. */
function comesFromUs(c: Call, { modes, destinations }: { modes: string[]; destinations: string[] }): boolean {
  const header = (name: string) => c.req.header(name) ?? '';
  return (
    header('Sec-Fetch-Site') === 'same-origin' &&
    ['', ...modes].includes(header('Sec-Fetch-Mode')) &&
    ['', ...destinations].includes(header('Sec-Fetch-Dest')) &&
    !/prefetch|prerender/i.test(header('Sec-Purpose') + header('Purpose'))
  );
}

/** As `authenticated`; instead of a token the session cookie does, when a script of our own pages asks. */
export function tokenOrSession(parts: Parts): MiddlewareHandler<Env> {
  const byToken = authenticated(parts);
  const identify: MiddlewareHandler<Env> = async (c, next) => {
    const visit = c.req.header('Authorization') === undefined ? await findVisit(c, parts) : undefined;
    if (!visit) return byToken(c, next);
    if (!comesFromUs(c, SCRIPT))
      throw new HttpError(403, 'A session counts only on pages of the back office. Send a token.');
    await countForUser(c, parts, visit.user);
    c.set('user', visit.user);
    return next();
  };
  return noted(identify, noteOf(byToken));
}

const SCRIPT = { modes: ['navigate', 'cors', 'same-origin'], destinations: ['document', 'empty'] };

async function check(c: Call, parts: Parts): Promise<Response> {
  const id = idParam(c);
  const result = await checkSignature(parts.ctx, id, { actor: actorOf(c.get('visit').user) });
  return goTo(c, parts, `/admin/requests/${id}`, flashOf(viewOf(c, parts), result));
}

function ask(c: Call, parts: Parts): Promise<Response> {
  const view = viewOf(c, parts);
  const { t } = view;
  const { id, reference, title } = getRequest(parts.ctx, idParam(c));
  const body = confirmation(view, {
    action: `/admin/requests/${id}/check-signature`,
    text: t('admin.ask.check-signature', { reference, title }),
    yes: t('request.check_signature'),
    back: `/admin/requests/${id}`,
  });
  return sendPage(c, parts, view, { title: t('request.check_signature'), section: 'requests', body });
}
