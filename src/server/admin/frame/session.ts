/** The session cookie, and the CSRF token in every form. */
import { hash, randomBytes } from 'node:crypto';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Context } from '../../../core/context.js';
import { isSame } from '../../../core/is-same.js';
import { linkTo, pathAndQuery } from './view.js';
import { sayOnPages } from '../texts.js';
import { mustBeAdmin } from '../../../core/users/rights.js';
import { openSession } from '../../../core/users/sessions.js';
import { mustBeOurs, notOurs, readForm } from '../../http/body.js';
import { bareType } from '../../http/media-types.js';
import type { AdminSession, Call, Env, Parts } from '../../parts.js';
import { MULTIPART, readFileForm, readPdfForm } from '../../http/upload.js';

const TOKEN_LENGTH_MAX = 100;

type CookieUse = 'session' | 'login';

/** `__Host-` binds a cookie to this host and https, so no sister site can plant one. */
function cookieName(ctx: Context, use: CookieUse): string {
  return `${isHttps(ctx) ? '__Host-' : ''}esign_${use}`;
}

export function isHttps({ config }: Context): boolean {
  return config.baseUrl.startsWith('https:');
}

function readCookie(c: HonoContext, ctx: Context, use: CookieUse): string | undefined {
  const value = getCookie(c, cookieName(ctx, use));
  return value && value.length <= TOKEN_LENGTH_MAX ? value : undefined;
}

export function putCookie(c: HonoContext, ctx: Context, use: CookieUse, value: string): void {
  const secure = isHttps(ctx);
  setCookie(c, cookieName(ctx, use), value, { path: '/', httpOnly: true, sameSite: 'Strict', secure });
}

export function clearCookie(c: HonoContext, ctx: Context, use: CookieUse): void {
  deleteCookie(c, cookieName(ctx, use), { path: '/', secure: isHttps(ctx) });
}

/** Undefined when nobody is logged in. */
export async function findSession(c: HonoContext, { ctx }: Parts): Promise<AdminSession | undefined> {
  const token = readCookie(c, ctx, 'session');
  if (token === undefined) return undefined;
  const open = await openSession(ctx, token);
  return open && { ...open, csrf: csrfOf(token) };
}

/** True for an expired session. */
export function hadSession(c: HonoContext, { ctx }: Parts): boolean {
  return readCookie(c, ctx, 'session') !== undefined;
}

/** The log-in form's token, bound to its own cookie, because there is no session yet. */
export function loginCsrf(c: Call, ctx: Context): string {
  const known = c.get('login') ?? readCookie(c, ctx, 'login');
  if (known) return csrfOf(known);
  const value = randomBytes(32).toString('base64url');
  c.set('login', value);
  putCookie(c, ctx, 'login', value);
  return csrfOf(value);
}

/** Derived from the cookie, which scripts and other sites cannot read, and reveals nothing about it. */
function csrfOf(token: string): string {
  return hash('sha256', `csrf:${token}`, 'base64url');
}

/** Requires a logged-in administrator; others get the log-in page or 403. */
export function signedIn(parts: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const session = await findSession(c, parts);
    if (!session) return isFromElsewhere(c) ? arrive(c, parts) : toLogin(c);
    c.set('session', session);
    mustBeAdmin(session.user);
    return next();
  };
}

function isFromElsewhere(c: Call): boolean {
  return c.req.method === 'GET' && c.req.header('Sec-Fetch-Site') === 'cross-site';
}

/** A link in a mail comes without the cookie (SameSite=Strict); a second navigation from our own page brings it. */
function arrive(c: Call, { ctx }: Parts): Response | Promise<Response> {
  const { locale } = ctx.config;
  const words = sayOnPages(locale)('admin.arrival');
  return c.html(
    html`<!doctype html>
      <html lang="${locale}">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="refresh" content="0" />
          <title>${words}</title>
        </head>
        <body>
          <p><a href="${pathAndQuery(c)}">${words}</a></p>
        </body>
      </html>`,
  );
}

/** Leads to the log-in page and back afterwards. A form submitted after the session ended is not sent again. */
export function toLogin(c: HonoContext): Response {
  const isPage = c.req.method === 'GET' || c.req.method === 'HEAD';
  const next = isPage && c.req.path !== '/admin' ? pathAndQuery(c) : undefined;
  return c.redirect(linkTo('/admin/login', { next }), 303);
}

/** Reads a form from one of our pages and refuses any other. */
export async function readOurForm(
  c: Call,
  ctx: Context,
  { takesPdf = false, fileBytesMax }: { takesPdf?: boolean; fileBytesMax?: number | undefined } = {},
): Promise<void> {
  mustBeOurs(c);
  const isWithFile = bareType(c.req.header('Content-Type') ?? '') === MULTIPART;
  const { fields, pdf } =
    isWithFile && takesPdf
      ? await readPdfForm(c, ctx, { isBrowsers: true })
      : {
          fields:
            isWithFile && fileBytesMax !== undefined
              ? await readFileForm(c, fileBytesMax)
              : await readForm(c),
        };
  c.set('pdf', pdf);
  const expected = c.get('session')?.csrf ?? csrfOf(readCookie(c, ctx, 'login') ?? '');
  if (!isSame(fields.get('csrf') ?? '', expected)) throw notOurs();
  c.set('form', fields);
}

/** `fileBytesMax`: of the file that comes with it, in base64 as the field `file`. */
export function guardedForm({ ctx }: Parts, fileBytesMax?: number): MiddlewareHandler<Env> {
  return async (c, next) => {
    await readOurForm(c, ctx, { fileBytesMax });
    return next();
  };
}
