/** Log-in and sign-out: pages that work without a session. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { MINUTE_MS } from '../../core/clock.js';
import { authenticate } from '../../core/users/authenticate.js';
import { beginSession, endSession, type Flash } from '../../core/users/sessions.js';
import { addressOf } from '../http/client-address.js';
import type { Call, Env, Parts } from '../parts.js';
import { boxedForm, hiddenField, inputs, USERNAME, type Field } from './frame/forms.js';
import type { Page } from './frame/layout.js';
import { PageCall } from './frame/page-call.js';
import { filled } from './frame/pages.js';
import type { View } from './frame/view.js';
import { findSession, putCookie, guardedForm, hadSession, clearCookie } from './frame/session.js';

export function loginPages(parts: Parts) {
  const { ctx } = parts;
  const pages = new Hono<Env>();

  pages.get('/admin/login', async (c) => {
    const next = localPath(c.req.query('next'));
    if (await findSession(c, parts)) return c.redirect(next, 303);
    const call = new PageCall(c, parts);
    const ended: Flash = { type: 'info', message: call.view.t('admin.login.ended') };
    const flash = hadSession(c, parts) ? ended : undefined;
    return call.send({ ...loginPage(call.view, { next, username: '' }), flash });
  });

  pages.post('/admin/login', guardedForm(parts), async (c) => {
    const call = new PageCall(c, parts);
    const { form, view } = call;
    const next = localPath(form.get('next'));
    const username = form.get('username') ?? '';
    const address = addressOf(c, parts);
    const refuse = (status: 422 | 429, message: string) =>
      call.send({ ...loginPage(view, { next, username }), status, flash: { type: 'danger', message } });
    const credentials = { username, password: form.get('password') ?? '', address };
    const outcome = await authenticate(ctx, parts.logins, credentials);
    if (outcome.type === 'throttled') {
      const { waitMs } = outcome;
      c.header('Retry-After', String(Math.ceil(waitMs / 1000)));
      return refuse(429, view.t('admin.login.throttled', { count: Math.ceil(waitMs / MINUTE_MS) }));
    }
    const agent = c.req.header('User-Agent') ?? '';
    const token = outcome.type === 'known' && (await beginSession(ctx, outcome.user, { address, agent }));
    if (!token) return refuse(422, view.t('admin.login.refused'));
    // A session id known before the log-in must not survive it.
    const old = await findSession(c, parts);
    if (old) await endSession(ctx, old.user, old.session.id);
    putCookie(c, ctx, 'session', token);
    clearCookie(c, ctx, 'login');
    return c.redirect(afterLogin(next), 303);
  });

  pages.post('/admin/logout', withSession(parts), guardedForm(parts), async (c) => {
    const { user, session } = new PageCall(c, parts).session;
    await endSession(ctx, user, session.id);
    clearCookie(c, ctx, 'session');
    return c.redirect('/admin/login', 303);
  });

  return pages;
}

/** Sets the session, if any, and lets everybody pass; the form's token is checked next. */
function withSession(parts: Parts) {
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

/** Allows only paths of the back office: no open redirect. */
export function localPath(wish: string | null | undefined): string {
  if (!wish || !/^\/(?:admin|check_signature)(?:[/?][!-[\]-~]*)?$/.test(wish)) return '/admin';
  return wish.startsWith('/admin/login') ? '/admin' : wish;
}

const CREDENTIALS: readonly Field[] = [
  { ...USERNAME, autocomplete: 'username', isFocused: true },
  {
    name: 'password',
    label: 'admin.login.password',
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  },
];

function loginPage(view: View, { next, username }: { next: string; username: string }): Page {
  const { t } = view;
  const content = [
    hiddenField('next', next),
    ...inputs(view, CREDENTIALS, filled({ username })),
    html`<button class="btn btn-primary">${t('page.log_in')}</button>`,
    html`<a class="small text-center" href="/password">${t('page.forgot.title')}</a>`,
  ];
  return {
    title: t('admin.login.title'),
    body: boxedForm(view, { action: '/admin/login', width: '' }, content),
  };
}
