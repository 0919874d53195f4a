/** Log-in, sign-out and theme: pages that work without a session. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { setCookie } from 'hono/cookie';
import { authenticate } from '../../core/users/authenticate.js';
import { beginSession, endSession } from '../../core/users/sessions.js';
import { addressOf } from '../client-address.js';
import type { Call, Env, Parts } from '../parts.js';
import { THEME_COOKIE } from './assets/script.js';
import { csrfField } from './layout.js';
import { input } from './pages/user-forms.js';
import { localPath, sendPage, viewOf, type Sending } from './respond.js';
import { counted, type Markup, type View } from './view.js';
import { findSession, putCookie, guardedForm, hadSession, clearCookie } from './session.js';

const THEME_DAYS = 365;

export function loginPages(parts: Parts) {
  const { ctx } = parts;
  const pages = new Hono<Env>();

  pages.get('/admin/login', async (c) => {
    const next = localPath(c.req.query('next'));
    if (await findSession(c, parts)) return c.redirect(next, 303);
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
    if (outcome.type === 'throttled') {
      const { waitMs } = outcome;
      const message = counted(viewOf(c, parts), 'admin.login.throttled', Math.ceil(waitMs / 60_000));
      c.header('Retry-After', String(Math.ceil(waitMs / 1000)));
      return loginPage(c, parts, { next, username }, { status: 429, flash: { type: 'danger', message } });
    }
    const agent = c.req.header('User-Agent') ?? '';
    const token = outcome.type === 'known' && (await beginSession(ctx, outcome.user, { address, agent }));
    if (!token) {
      const message = viewOf(c, parts).t('admin.login.refused');
      return loginPage(c, parts, { next, username }, { status: 422, flash: { type: 'danger', message } });
    }
    // A session id known before the log-in must not survive it.
    const old = await findSession(c, parts);
    if (old) await endSession(ctx, old.user, old.session.id);
    putCookie(c, ctx, 'session', token);
    clearCookie(c, ctx, 'login');
    return c.redirect(afterLogin(next), 303);
  });

  pages.post('/admin/logout', withVisit(parts), guardedForm(parts), async (c) => {
    const { user, session } = c.get('session');
    await endSession(ctx, user, session.id);
    clearCookie(c, ctx, 'session');
    return c.redirect('/admin/login', 303);
  });

  pages.post('/admin/theme', withVisit(parts), guardedForm(parts), (c) => {
    const form = c.get('form');
    const theme = form.get('theme') ?? '';
    const known = ['light', 'dark'].includes(theme) ? theme : 'auto';
    const secure = ctx.config.baseUrl.startsWith('https:');
    // Readable by scripts: it only says light or dark.
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

/** Sets the session, if any, and lets everybody pass; the form's token is checked next. */
function withVisit(parts: Parts) {
  return async (c: Call, next: () => Promise<void>) => {
    const session = await findSession(c, parts);
    if (session) c.set('session', session);
    else if (c.req.path === '/admin/logout') return c.redirect('/admin/login', 303);
    return next();
  };
}

/** A foreign link may have led to the log-in, so a page that acts on opening must ask first. */
function afterLogin(next: string): string {
  return next.startsWith('/check_signature/') ? `${next.replace(/\?.*/, '')}?confirm` : next;
}

interface Entered {
  next: string;
  username: string;
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
      ${input(view, { name: 'username', label: t('admin.login.username'), type: 'email', autocomplete: 'username', isRequired: true, isFocused: true }, username)}
      ${input(view, { name: 'password', label: t('admin.login.password'), type: 'password', autocomplete: 'current-password', isRequired: true })}
      <button class="btn btn-primary">${t('admin.login.submit')}</button>
    </div>
  </form>`;
}
