/** The pages to ask for a link and to set a password with it; each says what to do next. */
import { html } from 'hono/html';
import type { Config } from '../../core/settings/config.js';
import { label, sayIn } from '../../core/texts/index.js';
import type { PasswordLink, SetByLink } from '../../core/users/password-links.js';
import { isAdmin } from '../../core/users/rights.js';
import type { CustomerPage } from './page.js';

/** What is wrong, by field. */
type Faults = Readonly<Record<string, string | undefined>>;

export function forgotPage({ locale }: Config, username = '', faults: Faults = {}): CustomerPage {
  const say = sayIn(locale);
  const content = html`<form method="post" action="/password">
    ${field(locale, { name: 'username', label: 'list.username', type: 'email', autocomplete: 'username', value: username, faults })}
    <button>${say('page.send_link')}</button>
  </form>`;
  return { name: 'forgot', content, ...refused(faults) };
}

const STATUS = { unknown: 404, used: 410, expired: 410, void: 410 } as const;

export function linkPage(config: Config, link: SetByLink, faults: Faults = {}): CustomerPage {
  const say = sayIn(config.locale);
  if (link.state === 'open') return setPage(config, link, faults);
  if (link.state !== 'done') {
    const content = html`<a class="button" href="/password">${say('page.new_link')}</a>`;
    return { name: `password_${link.state}`, status: STATUS[link.state], content };
  }
  const { username } = link.user;
  // Only administrators have something to log in to here; others do so where they use the API.
  const content = isAdmin(link.user)
    ? html`<a class="button" href="/admin/login">${say('page.log_in')}</a>`
    : html``;
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
    ${fault ? html`<small class="fault" id="${name}-fault">${label(say, `fault.${fault}`, fault)}</small>` : ''}
    ${hint ? html`<small id="${name}-hint">${hint}</small>` : ''}`;
}
