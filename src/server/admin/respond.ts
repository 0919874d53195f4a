/** Sends pages: compressed, with their policy and the last action's message. */
import { gzipSync } from 'node:zlib';
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import { getCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { countFailed } from '../../core/jobs/failed.js';
import { isTextKey, type TextKey } from '../../core/texts/index.js';
import { setFlash, clearFlash, type Flash } from '../../core/users/sessions.js';
import { judge, type HttpError } from '../errors.js';
import type { Call, Parts } from '../parts.js';
import { THEME_COOKIE } from './assets/script.js';
import { confirmation, type Question } from './components.js';
import { layout, type Page, type Section, type Theme } from './layout.js';
import { createView, type View } from './view.js';
import { loginCsrf, type AdminSession } from './session.js';

/** Bootstrap's style sheet uses data: images for arrows. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The view of a call, with or without a session. */
export function viewOf(c: Call, { ctx }: Parts): View {
  const session = sessionOf(c);
  return createView(ctx.config, ctx.clock.now(), session?.csrf ?? loginCsrf(c, ctx));
}

function sessionOf(c: Call): AdminSession | undefined {
  return c.get('session');
}

export interface Sending {
  status?: ContentfulStatusCode;
  /** A message for this page only. */
  flash?: Flash | undefined;
}

export async function sendPage(
  c: Call,
  parts: Parts,
  view: View,
  page: Page,
  { status = 200, flash }: Sending = {},
): Promise<Response> {
  const { ctx } = parts;
  const session = sessionOf(c);
  const left = session && c.req.method === 'GET' ? await clearFlash(ctx, session) : undefined;
  const isStaff = session?.user.role === 'ROLE_ADMIN';
  const frame = {
    firm: ctx.config.mailFrom.name || ctx.config.mailFrom.address,
    theme: themeOf(c),
    path: c.req.method === 'GET' ? pathOf(c) : '/admin',
    username: session?.user.username,
    isStaff,
    failedCount: isStaff ? countFailed(ctx) : 0,
    flash: flash ?? left,
  };
  const page_ = await layout(view, frame, page);
  return sendHtml(c, withoutTurns(page_.toString()), status);
}

/** Asks before something is done. The page is named like its button. */
export function sendQuestion(c: Call, parts: Parts, section: Section, question: Question): Promise<Response> {
  const view = viewOf(c, parts);
  return sendPage(c, parts, view, { title: question.yes, section, body: confirmation(view, question) });
}

function themeOf(c: HonoContext): Theme {
  const wish = getCookie(c, THEME_COOKIE);
  return wish === 'light' || wish === 'dark' ? wish : 'auto';
}

function pathOf(c: HonoContext): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** Removes direction marks: one title must not reverse the words after it. */
function withoutTurns(page: string): string {
  return page.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Cross-site calls come without the cookie, so compressed sizes reveal nothing. */
function sendHtml(c: HonoContext, page: string, status: ContentfulStatusCode): Response {
  c.header('Content-Type', 'text/html; charset=utf-8');
  c.header('Content-Security-Policy', POLICY);
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept-Encoding, Cookie');
  if (!/\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')) return c.body(page, status);
  c.header('Content-Encoding', 'gzip');
  return c.body(new Uint8Array(gzipSync(page, { level: 5 })), status);
}

/** Redirects to a page that shows the message once. */
export async function goTo(c: Call, { ctx }: Parts, path: string, flash?: Flash): Promise<Response> {
  if (flash) await setFlash(ctx, c.get('session'), flash);
  return c.redirect(path, 303);
}

/** Allows only paths of the back office: no open redirect. */
export function localPath(wish: string | null | undefined): string {
  const isOurs = /^\/(?:admin|check_signature)(?:[/?][!-[\]-~]*)?$/.test(wish ?? '');
  return isOurs && !(wish as string).startsWith('/admin/login') ? (wish as string) : '/admin';
}

/** Refusals as pages: one sentence and a way back. */
export function answerWithPage(parts: Parts) {
  return (error: Error, c: Call): Promise<Response> => sendErrorPage(c, parts, judge(error, c, parts));
}

function sendErrorPage(c: Call, parts: Parts, error: HttpError): Promise<Response> {
  const view = viewOf(c, parts);
  const { t } = view;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const isStaff = c.get('session')?.user.role === 'ROLE_ADMIN';
  const body = html`<div class="card medium">
    <div class="card-body">
      <p>${sentence(view, error)}</p>
      <p class="soft small">${t('admin.error.id', { id: c.get('requestId') })}</p>
      ${isStaff ? html`<a class="btn btn-primary" href="/admin">${t('admin.error.back')}</a>` : ''}
    </div>
  </div>`;
  return sendPage(c, parts, view, { title: titleOf(view, error), body }, { status: error.status });
}

const OWN = [403, 404, 429, 503];

function titleOf({ t }: View, { status }: HttpError): string {
  return t((OWN.includes(status) ? `admin.error.${status}` : 'admin.error.other') as TextKey);
}

/** Keys from core have texts; messages of unexpected errors are not shown. */
function sentence({ t }: View, { status, members }: HttpError): string {
  const { key } = members;
  if (typeof key === 'string' && isTextKey(key)) return t(key);
  return t((OWN.includes(status) ? `admin.error.${status}.text` : 'admin.error.other.text') as TextKey);
}
