/** Log-in, sign-out and theme: what works without a session, or ends one. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { setCookie } from 'hono/cookie';
import { authenticate } from '../../core/users/authenticate.js';
import { beginSession, endSession } from '../../core/users/sessions.js';
import { addressOf } from '../client-address.js';
import type { Env, Parts } from '../parts.js';
import { THEME_COOKIE } from './assets/script.js';
import { csrfField } from './layout.js';
import { localPath, sendPage, viewOf, type Sending } from './respond.js';
import { counted, type Markup, type View } from './view.js';
import { findVisit, giveCookie, guardedForm, hadSession, takeCookie, type Call } from './visit.js';

const THEME_DAYS = 365;

export function loginPages(parts: Parts) {
  const { ctx } = parts;
  const pages = new Hono<Env>();

  pages.get('/admin/login', async (c) => {
    const next = localPath(c.req.query('next'));
    if (await findVisit(c, parts)) return c.redirect(next, 303);
    const { t } = viewOf(c, parts);
    const flash = hadSession(c, parts)
      ? ({ type: 'info', message: t('admin.login.ended') } as const)
      : undefined;
    return loginPage(c, parts, { next, username: '' }, { flash });
  });

  pages.post('/admin/login', guardedForm(parts), async (c) => {
    const form = c.get('form');
    const next = localPath(form.get('next'));
    const username = form.get('username') ?? '';
    const address = addressOf(c, parts);
    const credentials = { username, password: form.get('password') ?? '', address };
    const outcome = await authenticate(ctx, parts.logins, credentials);
    if (outcome.type === 'throttled') return throttled(c, parts, { next, username, waitMs: outcome.waitMs });
    const agent = c.req.header('User-Agent') ?? '';
    const token = outcome.type === 'known' && (await beginSession(ctx, outcome.user, { address, agent }));
    if (!token) return refused(c, parts, { next, username });
    // An id that somebody knew before the log-in is worth nothing after it.
    const old = await findVisit(c, parts);
    if (old) await endSession(ctx, old.user, old.session.id);
    giveCookie(c, ctx, 'session', token);
    takeCookie(c, ctx, 'login');
    return c.redirect(afterLogin(next), 303);
  });

  pages.post('/admin/logout', withVisit(parts), guardedForm(parts), async (c) => {
    const { user, session } = c.get('visit');
    await endSession(ctx, user, session.id);
    takeCookie(c, ctx, 'session');
    return c.redirect('/admin/login', 303);
  });

  pages.post('/admin/theme', withVisit(parts), guardedForm(parts), (c) => {
    const form = c.get('form');
    const theme = form.get('theme') ?? '';
    const known = ['light', 'dark'].includes(theme) ? theme : 'auto';
    const secure = ctx.config.baseUrl.startsWith('https:');
    // Scripts may read it: it says nothing but light or dark.
    setCookie(c, THEME_COOKIE, known, {
      path: '/',
      sameSite: 'Strict',
      secure,
      maxAge: THEME_DAYS * 86_400,
    });
    const back = form.get('back') ?? '';
    return c.redirect(back.startsWith('/admin/login') ? '/admin/login' : localPath(back), 303);
  });

  return pages;
}

/** Knows the visitor, if there is one, and lets everybody pass: the form's token is judged next. */
function withVisit(parts: Parts) {
  return async (c: Call, next: () => Promise<void>) => {
    const visit = await findVisit(c, parts);
    if (visit) c.set('visit', visit);
    else if (c.req.path === '/admin/logout') return c.redirect('/admin/login', 303);
    return next();
  };
}

/** A link from elsewhere may have led to the log-in: what acts when it is opened asks first. */
function afterLogin(next: string): string {
  return next.startsWith('/check_signature/') ? `${next.replace(/\?.*/, '')}?confirm` : next;
}

interface Entered {
  next: string;
  username: string;
}

function refused(c: Call, parts: Parts, entered: Entered): Promise<Response> {
  const { t } = viewOf(c, parts);
  const flash = { type: 'danger', message: t('admin.login.refused') } as const;
  return loginPage(c, parts, entered, { status: 422, flash });
}

function throttled(c: Call, parts: Parts, entered: Entered & { waitMs: number }): Promise<Response> {
  const minutes = Math.ceil(entered.waitMs / 60_000);
  const message = counted(viewOf(c, parts), 'admin.login.throttled', minutes);
  const flash = { type: 'danger', message } as const;
  c.header('Retry-After', String(Math.ceil(entered.waitMs / 1000)));
  return loginPage(c, parts, entered, { status: 429, flash });
}

function loginPage(c: Call, parts: Parts, entered: Entered, sending?: Sending): Promise<Response> {
  const view = viewOf(c, parts);
  const page = { title: view.t('admin.login.title'), body: loginForm(view, entered) };
  return sendPage(c, parts, view, page, sending);
}

function loginForm(view: View, { next, username }: Entered): Markup {
  const { t } = view;
  return html`<form class="card" method="post" action="/admin/login">
    <div class="card-body d-grid gap-3">
      ${csrfField(view)}
      <input type="hidden" name="next" value="${next}" />
      <div>
        <label class="form-label" for="username">${t('admin.login.username')}</label>
        <input
          class="form-control"
          id="username"
          name="username"
          type="email"
          autocomplete="username"
          required
          autofocus
          value="${username}"
        />
      </div>
      <div>
        <label class="form-label" for="password">${t('admin.login.password')}</label>
        <input
          class="form-control"
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
      </div>
      <button class="btn btn-primary">${t('admin.login.submit')}</button>
    </div>
  </form>`;
}
