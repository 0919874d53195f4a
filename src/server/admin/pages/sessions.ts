/** /admin/sessions: the user's own sessions, which can be ended. */
import { html } from 'hono/html';
import { endOtherSessions, endSession, listSessions, type SessionRow } from '../../../core/users/sessions.js';
import { idParam } from '../../iri.js';
import type { Parts } from '../../parts.js';
import * as ui from '../components.js';
import { goTo, viewOf } from '../respond.js';
import { Pages } from '../pages.js';
import { ago, counted, moment, type Markup, type View } from '../view.js';
import type { AdminSession } from '../session.js';

const PATH = '/admin/sessions';

export function sessionPages(parts: Parts) {
  const { ctx } = parts;
  return new Pages(parts)
    .show(PATH, (view, c) => {
      const session = c.get('session');
      const body = sessionCard(view, session, listSessions(ctx, session.user));
      return { title: view.t('admin.sessions'), section: 'sessions', body };
    })
    .post(`${PATH}/others/end`, async (c) => {
      const count = await endOtherSessions(ctx, c.get('session'));
      const message = counted(viewOf(c, parts), 'admin.sessions.ended', count);
      return goTo(c, parts, PATH, { type: 'success', message });
    })
    .post(`${PATH}/:id{[0-9]+}/end`, async (c) => {
      const isEnded = await endSession(ctx, c.get('session').user, idParam(c));
      const message = counted(viewOf(c, parts), 'admin.sessions.ended', isEnded ? 1 : 0);
      return idParam(c) === c.get('session').session.id
        ? c.redirect('/admin/login', 303)
        : goTo(c, parts, PATH, { type: 'success', message });
    });
}

function sessionCard(view: View, { session, user }: AdminSession, sessions: SessionRow[]): Markup {
  const { t } = view;
  const list = ui.table(sessions, '', [
    ui.leadColumn(
      t('admin.sessions.place'),
      (one) =>
        html`<span class="fw-semibold num">${one.address}</span>
          ${one.id === session.id ? html`<span class="badge text-bg-success">${t('admin.sessions.this')}</span>` : ''}
          <div class="soft small any">${one.agent}</div>
          <div class="d-md-none soft small">${moment(view, one.createdAt)}</div>`,
    ),
    ui.column(t('admin.sessions.begun'), (one) => moment(view, one.createdAt), ui.FROM_MD),
    ui.column(t('admin.sessions.seen'), (one) => ago(view, one.lastSeenAt), ui.FROM_MD),
    ui.hiddenHead(
      ui.column(
        t('admin.sessions.end'),
        (one) => ui.postButton(view, { action: `${PATH}/${one.id}/end`, words: t('admin.sessions.end') }),
        '',
        'text-end',
      ),
    ),
  ]);
  const others =
    sessions.length > 1
      ? ui.postButton(view, { action: `${PATH}/others/end`, words: t('admin.sessions.end_others') })
      : '';
  return ui.card(user.username, list, others);
}
