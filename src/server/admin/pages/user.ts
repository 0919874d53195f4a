/** /admin/users/{id}: one account: name and phone, password, disabling and enabling. */
import { html } from 'hono/html';
import { changeUser } from '../../../core/users/change-user.js';
import type { UserRow } from '../../../core/users/rights.js';
import { nameFault, phoneFault } from '../../../core/users/user-fields.js';
import { getUser, setPassword, setUserEnabled } from '../../../core/users/users.js';
import { idParam } from '../../iri.js';
import type { Call, Parts } from '../../parts.js';
import { alertOf } from '../layout.js';
import { card, facts, postButton, state } from '../components.js';
import { goTo, sendPage, sendQuestion, viewOf } from '../respond.js';
import { Pages } from '../pages.js';
import { moment, nameOf, type Markup, type View } from '../view.js';
import { passwordForm, profileForm, type Entered } from './user-forms.js';

const PATH = '/admin/users';
const ONE = `${PATH}/:id{[0-9]+}`;

export function userPages(parts: Parts) {
  const { ctx } = parts;
  return new Pages(parts)
    .get(ONE, (c) => userPage(c, parts, getUser(ctx, idParam(c))))
    .post(`${ONE}/profile`, (c) => changeProfile(c, parts))
    .get(`${ONE}/disable`, (c) => {
      const { t } = viewOf(c, parts);
      const { id, username } = getUser(ctx, idParam(c));
      return sendQuestion(c, parts, 'users', {
        action: `${PATH}/${id}/disable`,
        text: t('admin.users.ask_disable', { username }),
        yes: t('admin.users.disable'),
        back: `${PATH}/${id}`,
        isDanger: true,
      });
    })
    .act(`${ONE}/:change{enable|disable}`, pathOfOne, async (c, actor) => {
      const isEnabled = c.req.param('change') === 'enable';
      await setUserEnabled(ctx, idParam(c), isEnabled, actor);
      return { type: 'success', key: isEnabled ? 'admin.users.enabled' : 'admin.users.disabled' };
    })
    .act(`${ONE}/password`, pathOfOne, async (c, actor) => {
      await setPassword(ctx, idParam(c), c.get('form').get('password') ?? '', actor);
      return { type: 'success', key: 'admin.users.password_set' };
    });
}

function pathOfOne(c: Call): string {
  return `${PATH}/${idParam(c)}`;
}

async function changeProfile(c: Call, parts: Parts): Promise<Response> {
  const user = getUser(parts.ctx, idParam(c));
  const text = (name: string) => (c.get('form').get(name) ?? '').trim();
  const entered = { firstName: text('firstName'), lastName: text('lastName'), phone: text('phone') };
  const faults = profileFaults(user, entered);
  if (Object.keys(faults).length > 0) return userPage(c, parts, user, { entered, faults });
  await changeUser(parts.ctx, c.get('session').user, user.id, entered);
  const message = viewOf(c, parts).t('admin.users.saved');
  return goTo(c, parts, `${PATH}/${user.id}`, { type: 'success', message });
}

/** An old name that breaks today's rules stays valid until it is changed. */
function profileFaults(
  user: UserRow,
  { firstName, lastName, phone }: Record<ProfileField, string>,
): Record<string, string> {
  const faults = {
    firstName: firstName === user.firstName ? undefined : nameFault(firstName),
    lastName: lastName === user.lastName ? undefined : nameFault(lastName),
    phone: phoneFault(phone),
  };
  return Object.fromEntries(Object.entries(faults).filter((pair): pair is [string, string] => !!pair[1]));
}

type ProfileField = 'firstName' | 'lastName' | 'phone';

interface Refused {
  entered: Entered;
  faults: Record<string, string>;
}

function userPage(c: Call, parts: Parts, user: UserRow, refused?: Refused): Promise<Response> {
  const view = viewOf(c, parts);
  const body = [
    refused ? alertOf({ type: 'danger', message: view.t('admin.users.faults') }) : html``,
    userSheet(view, user, refused),
  ];
  const page = { title: user.username, section: 'users', body } as const;
  return sendPage(c, parts, view, page, { status: refused ? 422 : 200 });
}

function userSheet(view: View, user: UserRow, refused: Refused | undefined): Markup {
  const { t } = view;
  const change = user.enabled
    ? html`<a class="btn btn-sm btn-outline-danger" href="${PATH}/${user.id}/disable"
        >${t('admin.users.disable')}</a
      >`
    : postButton(view, { action: `${PATH}/${user.id}/enable`, words: t('admin.users.enable') });
  const requests = new URLSearchParams({ q: user.username }).toString();
  const account = card(
    t('admin.users.account'),
    facts([
      [t('admin.login.username'), user.username],
      [t('admin.field.name'), nameOf(user)],
      [t('admin.field.phone'), user.phone],
      [t('admin.field.role'), t(`admin.role.${user.role}`)],
      [t('admin.field.status'), state(view, user.enabled ? 'enabled' : 'disabled')],
      [t('admin.field.created'), moment(view, user.createdAt)],
      [t('admin.nav.requests'), html`<a href="/admin/requests?${requests}">${t('admin.users.requests')}</a>`],
    ]),
    change,
  );
  const profile = refused?.entered ?? { ...user, phone: user.phone ?? '' };
  return html`<div class="columns even">
    <div class="stack">${account} ${passwordForm(view, user)}</div>
    ${profileForm(view, user.id, profile, refused?.faults)}
  </div>`;
}
