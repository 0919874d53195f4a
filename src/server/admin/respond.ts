/** Sends pages: with their policy, compressed, and with what the last action left to say. */
import { gzipSync } from 'node:zlib';
import type { Context as HonoContext } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { countFailed } from '../../core/jobs/failed.js';
import { leaveFlash, takeFlash, type Flash } from '../../core/users/sessions.js';
import type { Parts } from '../parts.js';
import { THEME_COOKIE } from './assets/script.js';
import { layout, type Page, type Theme } from './layout.js';
import { createView, type View } from './view.js';
import { loginCsrf, type Call, type Visit } from './visit.js';

/** Bootstrap's style sheet draws the arrows of its fields from data: images. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The view of a call; of one without a session too. */
export function viewOf(c: Call, { ctx }: Parts): View {
  const visit = visitOf(c);
  return createView(ctx.config, ctx.clock.now(), visit?.csrf ?? loginCsrf(c, ctx));
}

function visitOf(c: Call): Visit | undefined {
  return c.get('visit');
}

export interface Sending {
  status?: ContentfulStatusCode;
  /** Said on this page, beside what was left for it. */
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
  const visit = visitOf(c);
  const left = visit && c.req.method === 'GET' ? await takeFlash(ctx, visit) : undefined;
  const isStaff = visit?.user.role === 'ROLE_ADMIN';
  const frame = {
    firm: ctx.config.mailFrom.name || ctx.config.mailFrom.address,
    theme: themeOf(c),
    path: c.req.method === 'GET' ? pathOf(c) : '/admin',
    username: visit?.user.username,
    isStaff,
    failedCount: isStaff ? countFailed(ctx) : 0,
    flash: flash ?? left,
  };
  const page_ = await layout(view, frame, page);
  return sendHtml(c, withoutTurns(page_.toString()), status);
}

function themeOf(c: HonoContext): Theme {
  const wish = getCookie(c, THEME_COOKIE);
  return wish === 'light' || wish === 'dark' ? wish : 'auto';
}

function pathOf(c: HonoContext): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** One title must not turn around the words after it; letters of every direction read well without these marks. */
function withoutTurns(page: string): string {
  return page.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** What other sites make a browser ask comes without the cookie, so nobody can guess at a page by its compressed size. */
function sendHtml(c: HonoContext, page: string, status: ContentfulStatusCode): Response {
  c.header('Content-Type', 'text/html; charset=utf-8');
  c.header('Content-Security-Policy', POLICY);
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept-Encoding, Cookie');
  if (!/\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')) return c.body(page, status);
  c.header('Content-Encoding', 'gzip');
  return c.body(new Uint8Array(gzipSync(page, { level: 5 })), status);
}

/** Leads on to a page, which says once how it went. */
export async function goTo(c: Call, { ctx }: Parts, path: string, flash?: Flash): Promise<Response> {
  if (flash) await leaveFlash(ctx, c.get('visit'), flash);
  return c.redirect(path, 303);
}

/** Only a path of the back office, whatever somebody has put into an address: nothing leads away from here. */
export function localPath(wish: string | null | undefined): string {
  const isOurs = /^\/(?:admin|check_signature)(?:[/?][!-[\]-~]*)?$/.test(wish ?? '');
  return isOurs && !(wish as string).startsWith('/admin/login') ? (wish as string) : '/admin';
}
