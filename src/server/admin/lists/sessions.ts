/** /admin/sessions: the user's own sessions, which can be ended. */
import { html } from 'hono/html';
import { endOtherSessions, endSession, listSessions, type SessionRow } from '../../../core/users/sessions.js';
import { SESSIONS } from '../../../core/resources/users.js';
import type { Parts, AdminSession } from '../../parts.js';
import { columnsOf } from './field-columns.js';
import * as ui from '../frame/components.js';
import { postButton } from '../frame/forms.js';
import * as tables from './table.js';
import { Pages } from '../frame/pages.js';
import type { Markup, View } from '../frame/view.js';

const PATH = '/admin/sessions';

export function sessionPages(parts: Parts) {
  return new Pages(parts, 'sessions')
    .get(PATH, ({ ctx, view, session }) => ({
      title: view.t('admin.nav.sessions'),
      body: sessionCard(view, session, listSessions(ctx, session.user)),
    }))
    .act(
      `${PATH}/others/end`,
      () => PATH,
      async ({ ctx, view, session }) =>
        view.t('admin.sessions.ended', { count: await endOtherSessions(ctx, session) }),
    )
    .act(
      `${PATH}/:id{[0-9]+}/end`,
      ({ id, session }) => (id === session.session.id ? '/admin/login' : PATH),
      async ({ ctx, view, user, id }) =>
        view.t('admin.sessions.ended', { count: (await endSession(ctx, user, id)) ? 1 : 0 }),
    );
}

function sessionCard(view: View, { session, user }: AdminSession, sessions: SessionRow[]): Markup {
  const { t } = view;
  const end = (one: SessionRow) =>
    html`${one.id === session.id ? html`<span class="state state-good">${t('admin.sessions.this')}</span>` : ''}
    ${postButton(view, { action: `${PATH}/${one.id}/end`, words: t('admin.sessions.end') })}`;
  const list = tables.table(sessions, '', [
    ...columnsOf(view, SESSIONS),
    tables.hiddenHead(tables.column(t('admin.sessions.end'), end, '', 'text-end')),
  ]);
  const others =
    sessions.length > 1
      ? postButton(view, { action: `${PATH}/others/end`, words: t('admin.sessions.end_others') })
      : '';
  return ui.card(user.username, list, others);
}
