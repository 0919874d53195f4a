/** /admin/users/{id}: one account; its name and phone, its password, closing and opening it. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { changeUser } from '../../../core/users/change-user.js';
import { actorOf, type UserRow } from '../../../core/users/rights.js';
import { nameFault, phoneFault } from '../../../core/users/user-fields.js';
import { getUser, setPassword, setUserEnabled } from '../../../core/users/users.js';
import { idParam } from '../../iri.js';
import type { Env, Parts } from '../../parts.js';
import { confirmation } from '../confirm.js';
import { alertOf } from '../layout.js';
import { orRefusal } from '../outcome.js';
import { card, facts, postButton, state } from '../pieces.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { moment, type Markup, type View } from '../view.js';
import { guardedForm, type Call } from '../visit.js';
import { passwordForm, profileForm, type Entered } from './user-forms.js';

const PATH = '/admin/users';

export function userPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(`${PATH}/:id{[0-9]+}`, (c) => userPage(c, parts, getUser(ctx, idParam(c))))
    .post(`${PATH}/:id{[0-9]+}/profile`, guardedForm(parts), (c) => changeProfile(c, parts))
    .get(`${PATH}/:id{[0-9]+}/disable`, (c) => {
      const view = viewOf(c, parts);
      const { t } = view;
      const { id, username } = getUser(ctx, idParam(c));
      const body = confirmation(view, {
        action: `${PATH}/${id}/disable`,
        text: t('admin.users.ask_disable', { username }),
        yes: t('admin.users.disable'),
        back: `${PATH}/${id}`,
        isDanger: true,
      });
      return sendPage(c, parts, view, { title: t('admin.users.disable'), section: 'users', body });
    })
    .post(`${PATH}/:id{[0-9]+}/:change{enable|disable}`, guardedForm(parts), async (c) => {
      const isEnabled = c.req.param('change') === 'enable';
      const flash = await orRefusal(viewOf(c, parts), async () => {
        await setUserEnabled(ctx, idParam(c), isEnabled, actorOf(c.get('visit').user));
        return { type: 'success', key: isEnabled ? 'admin.users.enabled' : 'admin.users.disabled' };
      });
      return goTo(c, parts, `${PATH}/${idParam(c)}`, flash);
    })
    .post(`${PATH}/:id{[0-9]+}/password`, guardedForm(parts), async (c) => {
      const flash = await orRefusal(viewOf(c, parts), async () => {
        const password = c.get('form').get('password') ?? '';
        await setPassword(ctx, idParam(c), password, actorOf(c.get('visit').user));
        return { type: 'success', key: 'admin.users.password_set' };
      });
      return goTo(c, parts, `${PATH}/${idParam(c)}`, flash);
    });
}

async function changeProfile(c: Call, parts: Parts): Promise<Response> {
  const user = getUser(parts.ctx, idParam(c));
  const text = (name: string) => (c.get('form').get(name) ?? '').trim();
  const entered = { firstName: text('firstName'), lastName: text('lastName'), phone: text('phone') };
  const faults = profileFaults(user, entered);
  if (Object.keys(faults).length > 0) return userPage(c, parts, user, { entered, faults });
  await changeUser(parts.ctx, c.get('visit').user, user.id, entered);
  const message = viewOf(c, parts).t('admin.users.saved');
  return goTo(c, parts, `${PATH}/${user.id}`, { type: 'success', message });
}

/** A name from before these rules stands as long as nobody changes it. */
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

export function nameOf({ firstName, lastName }: UserRow): string {
  return `${firstName} ${lastName}`.trim();
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
