/** /admin/users/{id}: one account: name and phone, password, disabling and enabling. */
import { html } from 'hono/html';
import { MINUTE_MS } from '../../../core/clock.js';
import { isOwn, mustBeProved, setUserRole, correctUser } from '../../../core/users/change-user.js';
import { inviteUser } from '../../../core/users/create-user.js';
import { hasPassword } from '../../../core/users/passwords.js';
import { CUSTOMERS } from '../../../core/resources/users.js';
import { isAdmin, type UserRow } from '../../../core/users/rights.js';
import { getUser, setPassword, setUserEnabled } from '../../../core/users/users.js';
import { addressOf } from '../../http/client-address.js';
import type { Parts } from '../../parts.js';
import { card, facts, requestsAbout } from '../frame/components.js';
import { hiddenField, postButton, reasonField } from '../frame/forms.js';
import type { Page } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { filled, NOTHING, Pages, type Filled } from '../frame/pages.js';
import type { Markup, View } from '../frame/view.js';
import { dataCard } from '../acts/erase-user.js';
import { factsOf } from '../lists/field-columns.js';
import { historyCard } from '../lists/history.js';
import { localeField, passwordForm, profileForm, roleField } from '../acts/user-forms.js';

const PATH = '/admin/users';
const ONE = `${PATH}/:id{[0-9]+}`;

export function userPages(parts: Parts) {
  return new Pages(parts, 'users')
    .get(ONE, (call) => userPage(call))
    .formOn(`${ONE}/profile`, userPage, async (call) => {
      const { ctx, id, view } = call;
      const throttled = await waitsForProof(call, parts, { username: call.field('username') || undefined });
      if (throttled) return throttled;
      const profile = {
        username: call.form.has('username') ? call.field('username') : undefined,
        firstName: call.field('firstName'),
        lastName: call.field('lastName'),
        phone: call.field('phone'),
        ...(call.form.has('address') && { address: call.field('address') }),
        ...(call.form.has('locale') && { locale: localeField(call) }),
      };
      const { signers } = await correctUser(ctx, id, profile, { actor: call.actor });
      const missed = signers.filter(({ corrected }) => !corrected).map(({ reference }) => reference);
      const message =
        missed.length > 0
          ? {
              type: 'danger' as const,
              message: view.t('admin.users.not_corrected', { references: missed.join(', ') }),
            }
          : view.t(signers.length > 0 ? 'admin.users.corrected' : 'admin.users.saved');
      return call.goTo(pathOf(call), message);
    })
    .asked(`${ONE}/role`, {
      back: pathOf,
      ask({ ctx, id, view }) {
        const { username, role } = getUser(ctx, id);
        const step = role === 'ROLE_ADMIN' ? 'demote' : 'promote';
        return {
          text: view.t(`admin.users.ask_${step}`, { username }),
          yes: view.t(`admin.users.${step}`),
          isDanger: true,
          fields: [
            // Sent twice, it changes nothing the second time.
            hiddenField('role', role === 'ROLE_ADMIN' ? 'ROLE_USER' : 'ROLE_ADMIN'),
            reasonField(view, { isRequired: false }),
          ],
        };
      },
      async run(call) {
        const { ctx, id, by, view } = call;
        await setUserRole(ctx, id, roleField(call), by);
        return view.t('admin.users.role_set');
      },
    })
    .act(`${ONE}/invite`, pathOf, async ({ ctx, id, actor, view }) => {
      await inviteUser(ctx, id, { actor });
      return view.t('admin.users.invited');
    })
    .asked(`${ONE}/disable`, {
      back: pathOf,
      ask: ({ ctx, id, view: { t } }) => ({
        text: t('admin.users.ask_disable', { username: getUser(ctx, id).username }),
        yes: t('admin.users.disable'),
        isDanger: true,
      }),
      async run({ ctx, id, actor, view }) {
        await setUserEnabled(ctx, id, false, actor);
        return view.t('admin.users.disabled');
      },
    })
    .act(`${ONE}/enable`, pathOf, async ({ ctx, id, actor, view }) => {
      await setUserEnabled(ctx, id, true, actor);
      return view.t('admin.users.enabled');
    })
    .formOn(`${ONE}/password`, userPage, async (call) => {
      const password = call.form.get('password') ?? '';
      const throttled = await waitsForProof(call, parts, { password });
      if (throttled) return throttled;
      await setPassword(call.ctx, call.id, password, call.actor);
      return call.goTo(pathOf(call), call.view.t('admin.users.password_set'));
    });
}

/** Throws `invalid` when one's own account needs the current password; a page that says to wait after too many wrong ones. */
async function waitsForProof(
  call: PageCall,
  parts: Parts,
  wanted: { username?: string | undefined; password?: string },
): Promise<Response | undefined> {
  if (call.id !== call.user.id) return undefined;
  const currentPassword = call.form.get('currentPassword') ?? undefined;
  const proof = { currentPassword, from: addressOf(call.c, parts) };
  const throttled = await mustBeProved(call.ctx, parts.logins, call.user, wanted, proof);
  if (!throttled) return undefined;
  const minutes = Math.ceil(throttled.waitMs / MINUTE_MS);
  const message = call.view.t('admin.login.throttled', { count: minutes });
  return call.goTo(pathOf(call), { type: 'danger', message });
}

function pathOf({ id }: PageCall): string {
  return `${PATH}/${id}`;
}

function userPage({ ctx, id, view, actor }: PageCall, refused?: Filled): Page {
  const user = getUser(ctx, id);
  const { username, firstName, lastName, phone, locale, address } = user;
  const stored = filled({
    username,
    firstName,
    lastName,
    phone: phone ?? '',
    address: address ?? '',
    locale: locale ?? '',
  });
  const isMine = isOwn(actor, user);
  const isAboutPassword = refused?.form.has('password') === true;
  const profile = refused && !isAboutPassword ? refused : stored;
  const password = isAboutPassword ? refused : NOTHING;
  const body = html`<div class="columns even">
    <div class="stack">
      ${accountCard(view, user, !isMine)} ${passwordForm(view, user, isMine, password)}
      ${dataCard(view, user)}
    </div>
    ${profileForm(view, user, isMine, profile)}
  </div>`;
  return { title: user.username, body: [body, historyCard(view, ctx, `user:${user.id}`)] };
}

/** `isOther`: it is not the reader's own account. */
function accountCard(view: View, user: UserRow, isOther: boolean): Markup {
  const { t } = view;
  const path = `${PATH}/${user.id}`;
  const role =
    isOther && user.erasedAt === null
      ? html`<a class="btn btn-sm btn-outline-secondary" href="${path}/role"
          >${t(isAdmin(user) ? 'admin.users.demote' : 'admin.users.promote')}</a
        >`
      : '';
  const change = user.enabled
    ? html`<a class="btn btn-sm btn-outline-danger" href="${path}/disable">${t('admin.users.disable')}</a>`
    : postButton(view, { action: `${path}/enable`, words: t('admin.users.enable') });
  return card(
    t('mail.label.account'),
    facts([
      ...factsOf(view, CUSTOMERS, user, { locale: user.locale && t(`admin.locale.${user.locale}`) }),
      [t('admin.login.password'), hasPassword(user) ? null : noPassword(view, user)],
      [
        t('admin.nav.requests'),
        html`<a href="${requestsAbout(user.username)}">${t('admin.users.requests')}</a> ·
          <a href="/admin/requests/new?owner=${user.id}">${t('admin.entry.new')}</a>`,
      ],
    ]),
    html`<div class="actions">${role} ${change}</div>`,
  );
}

function noPassword(view: View, { id, enabled }: UserRow): Markup {
  const { t } = view;
  const action = `${PATH}/${id}/invite`;
  return html`<p class="mb-1">${t('admin.users.no_password')}</p>
    ${enabled ? postButton(view, { action, words: t('admin.users.invite') }) : ''}`;
}
