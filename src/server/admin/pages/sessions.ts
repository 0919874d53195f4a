/** /admin/sessions: where one is logged in; each log-in can be ended. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { endOtherSessions, endSession, listSessions, type SessionRow } from '../../../core/users/sessions.js';
import { idParam } from '../../iri.js';
import type { Env, Parts } from '../../parts.js';
import { card, postButton, table } from '../pieces.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { ago, counted, moment, type Markup, type View } from '../view.js';
import { guardedForm, type Visit } from '../visit.js';

const PATH = '/admin/sessions';

export function sessionPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(PATH, (c) => {
      const view = viewOf(c, parts);
      const visit = c.get('visit');
      const body = list(view, visit, listSessions(ctx, visit.user));
      return sendPage(c, parts, view, { title: view.t('admin.sessions'), section: 'sessions', body });
    })
    .post(`${PATH}/others/end`, guardedForm(parts), async (c) => {
      const count = await endOtherSessions(ctx, c.get('visit'));
      const message = counted(viewOf(c, parts), 'admin.sessions.ended', count);
      return goTo(c, parts, PATH, { type: 'success', message });
    })
    .post(`${PATH}/:id{[0-9]+}/end`, guardedForm(parts), async (c) => {
      const isEnded = await endSession(ctx, c.get('visit').user, idParam(c));
      const message = counted(viewOf(c, parts), 'admin.sessions.ended', isEnded ? 1 : 0);
      return idParam(c) === c.get('visit').session.id
        ? c.redirect('/admin/login', 303)
        : goTo(c, parts, PATH, { type: 'success', message });
    });
}

function list(view: View, { session, user }: Visit, sessions: SessionRow[]): Markup {
  const { t } = view;
  const rows = sessions.map(
    (one) =>
      html`<tr>
        <td class="lead-cell">
          <span class="fw-semibold num">${one.address}</span>
          ${one.id === session.id ? html`<span class="badge text-bg-success">${t('admin.sessions.this')}</span>` : ''}
          <div class="soft small any">${one.agent}</div>
          <div class="d-md-none soft small">${moment(view, one.createdAt)}</div>
        </td>
        <td class="d-none d-md-table-cell small">${moment(view, one.createdAt)}</td>
        <td class="d-none d-md-table-cell small">${ago(view, one.lastSeenAt)}</td>
        <td class="text-end">
          ${postButton(view, { action: `${PATH}/${one.id}/end`, words: t('admin.sessions.end') })}
        </td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.sessions.place') },
    { head: t('admin.sessions.begun'), class: 'd-none d-md-table-cell' },
    { head: t('admin.sessions.seen'), class: 'd-none d-md-table-cell' },
    { head: t('admin.sessions.end'), isHidden: true },
  ];
  const others =
    sessions.length > 1
      ? postButton(view, { action: `${PATH}/others/end`, words: t('admin.sessions.end_others') })
      : '';
  return card(user.username, table(columns, rows, ''), others);
}
