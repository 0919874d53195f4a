/**
 * `/password`: who has forgotten the password asks for a link; `/password/{token}`: whoever has the link from a mail sets one
 * (rules 6). Opening a link changes nothing. Its token stays out of logs, and pages that name it send no referrer. The
 * forms need no cookie: one reveals nothing and is limited, the other acts by its token alone, in any number of tabs.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../core/clock.js';
import { SlidingWindow } from '../../core/calls/sliding-window.js';
import { AppError, invalid } from '../../core/errors.js';
import {
  askForReset,
  readPasswordLink,
  resetKey,
  setPasswordByLink,
  type SetByLink,
  type PasswordLink,
} from '../../core/users/password-links.js';
import { mailAddressFault, normalUsername, USERNAME } from '../../core/users/user-fields.js';
import { NEW_PASSWORD } from '../../core/users/passwords.js';
import { settingsFor } from '../../core/users/names.js';
import { pageLimit, sendCustomerPage, type CustomerPage } from '../customer/page.js';
import { documented } from './docs/operation.js';
import { FORM_TYPE, mustBeOurs, readForm } from '../http/body.js';
import type { Call, Env, Parts } from '../parts.js';
import { html } from 'hono/html';
import type { Config } from '../../core/settings/config.js';
import { faultWords, sayIn } from '../../core/texts/index.js';
import { isAdmin } from '../../core/users/rights.js';

const GROUP = 'Service';
const PAGE = { status: 200, mediaTypes: ['text/html'] } as const;
const LIMITED = { 429: 'A page: too many calls from this address.' };
const OVER = { 404: 'A page: the link is not known.', 410: 'A page: it was used, has expired or is void.' };

const ASK = documented({
  title: 'Asks a person whose password is forgotten for their address',
  about: 'A page for people.',
  group: GROUP,
  returns: { ...PAGE, about: 'The page.' },
});
const ORDER = documented({
  title: 'Mails a link with which a new password can be set',
  about:
    'The answer is the same whether or not somebody has this address. At most three mails an hour go to an address, as long as their links work.',
  group: GROUP,
  takes: { schema: z.object({ username: USERNAME }), mediaTypes: [FORM_TYPE], refuses: [403, 413, 415] },
  returns: { ...PAGE, about: 'A page: if somebody has this address, a mail is on its way.' },
  pages: { ...LIMITED, 422: 'The page again: enter a valid e-mail address.' },
});
const OPEN = documented({
  title: 'Asks a person for a new password',
  about:
    'The link in an invitation, or in the mail to whoever has forgotten the password. Opening it changes nothing.',
  group: GROUP,
  returns: { ...PAGE, about: 'The page.' },
  pages: { ...LIMITED, ...OVER },
});
const SET = documented({
  title: 'Sets the password, once',
  about: 'Ends every token and session of the user.',
  group: GROUP,
  takes: {
    schema: z.object({ password: NEW_PASSWORD, again: NEW_PASSWORD }),
    mediaTypes: [FORM_TYPE],
    refuses: [403, 413, 415],
  },
  returns: { ...PAGE, about: 'A page: the password is set.' },
  pages: { ...LIMITED, ...OVER, 422: 'The page again, with what is wrong.' },
});

const MAILS_AN_HOUR = 3;
const ASKED_AN_HOUR = 20;
const CALLS_A_MINUTE = 60;

export function passwordRoutes(parts: Parts) {
  const { ctx } = parts;
  const mails = new SlidingWindow(ctx.clock, { windowMs: HOUR_MS });
  const overAsked = pageLimit(parts, 'password_limited', { most: ASKED_AN_HOUR, windowMs: HOUR_MS });
  const overCalls = pageLimit(parts, 'password_limited', { most: CALLS_A_MINUTE, windowMs: MINUTE_MS });
  const send = (c: Call, page: CustomerPage) => sendCustomerPage(c, ctx.config, page);
  const sendLink = (c: Call, link: SetByLink, faults?: Record<string, string>) => {
    const config = 'user' in link ? settingsFor(ctx.config, link.user) : ctx.config;
    return sendCustomerPage(c, config, linkPage(config, link, faults));
  };
  const routes = new Hono<Env>();

  routes.get('/password', ASK, (c) => send(c, forgotPage(ctx.config)));

  routes.post('/password', ORDER, async (c) => {
    mustBeOurs(c);
    const username = (await readForm(c)).get('username') ?? '';
    const account = normalUsername(username);
    const fault = mailAddressFault(account);
    if (fault) return send(c, forgotPage(ctx.config, username, { username: fault }));
    const refusal = overAsked(c);
    if (refusal) return refusal;
    // Beyond the limit a mail of this hour still holds a link that works, so the answer stays true: once those
    // are void, the key is another.
    if (mails.take(resetKey(ctx, account), MAILS_AN_HOUR).isWithin) await askForReset(ctx, account);
    return send(c, { name: 'forgot_sent' });
  });

  routes.get('/password/:token', OPEN, (c) => {
    return overCalls(c) ?? sendLink(c, readPasswordLink(ctx, c.req.param('token')));
  });

  routes.post('/password/:token', SET, async (c) => {
    const refusal = overCalls(c);
    if (refusal) return refusal;
    mustBeOurs(c);
    const form = await readForm(c);
    const token = c.req.param('token');
    const password = form.get('password') ?? '';
    try {
      if (password !== form.get('again')) throw invalid({ again: 'The two passwords differ.' });
      const link = await setPasswordByLink(ctx, token, password);
      return await sendLink(c, link);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
      return sendLink(c, readPasswordLink(ctx, token), error.fields);
    }
  });

  return routes;
}

// The pages to ask for a link and to set a password with it; each says what to do next.

/** What is wrong, by field. */
type Faults = Readonly<Record<string, string | undefined>>;

function forgotPage({ locale }: Config, username = '', faults: Faults = {}): CustomerPage {
  const say = sayIn(locale);
  const content = html`<form method="post" action="/password">
    ${field(locale, { name: 'username', label: 'list.username', type: 'email', autocomplete: 'username', value: username, faults })}
    <button>${say('page.send_link')}</button>
  </form>`;
  return { name: 'forgot', content, ...refused(faults) };
}

const STATUS = { unknown: 404, used: 410, expired: 410, void: 410 } as const;

function linkPage(config: Config, link: SetByLink, faults: Faults = {}): CustomerPage {
  const say = sayIn(config.locale);
  if (link.state === 'open') return setPage(config, link, faults);
  if (link.state !== 'done') {
    const content = html`<a class="button" href="/password">${say('page.new_link')}</a>`;
    return { name: `password_${link.state}`, status: STATUS[link.state], content };
  }
  const { username } = link.user;
  // Only administrators have something to log in to here.
  if (!isAdmin(link.user)) return { name: 'account_ready', username };
  const content = html`<a class="button" href="/admin/login">${say('page.log_in')}</a>`;
  return { name: 'password_done', username, content };
}

function setPage(
  { locale }: Config,
  { purpose, user: { username } }: Extract<PasswordLink, { state: 'open' }>,
  faults: Faults,
): CustomerPage {
  const say = sayIn(locale);
  const password = { type: 'password', autocomplete: 'new-password', faults } as const;
  // Without an action it goes to the address of the page. Password managers read the name.
  const content = html`<form method="post">
    <input type="hidden" name="username" value="${username}" autocomplete="username" />
    ${field(locale, { ...password, name: 'password', label: 'page.password', hint: say('page.password_rule') })}
    ${field(locale, { ...password, name: 'again', label: 'page.password_again' })}
    <button>${say('page.set_password')}</button>
  </form>`;
  return { name: `password_${purpose}`, username, content, ...refused(faults) };
}

function refused(faults: Faults): Pick<CustomerPage, 'status'> {
  return Object.keys(faults).length > 0 ? { status: 422 } : {};
}

interface Field {
  name: string;
  label: 'list.username' | 'page.password' | 'page.password_again';
  type: 'email' | 'password';
  autocomplete: string;
  value?: string;
  hint?: string;
  faults: Faults;
}

function field(
  locale: Config['locale'],
  { name, label: words, type, autocomplete, value = '', hint, faults }: Field,
) {
  const say = sayIn(locale);
  const fault = faults[name];
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<label for="${name}">${say(words)}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      maxlength="254"
      required
      ${notes ? html`aria-describedby="${notes}"` : ''}
      ${fault ? html`aria-invalid="true"` : ''}
    />
    ${fault ? html`<small class="fault" id="${name}-fault">${faultWords(say, fault)}</small>` : ''}
    ${hint ? html`<small id="${name}-hint">${hint}</small>` : ''}`;
}
