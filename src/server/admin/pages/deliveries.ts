/** /admin/deliveries: what was sent to subscribers, and what became of it. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { browseDeliveries, type ListedDelivery } from '../../../core/webhooks/browse-deliveries.js';
import type { Env, Parts } from '../../parts.js';
import { card, state, table } from '../pieces.js';
import { sendPage, viewOf } from '../respond.js';
import { moment, type Markup, type View } from '../view.js';

const PATH = '/admin/deliveries';
const PER_PAGE = 50;

export function deliveryPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().get(PATH, (c) => {
    const view = viewOf(c, parts);
    const before = c.req.query('before') ?? '';
    const beforeId = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
    const deliveries = browseDeliveries(ctx, { beforeId, limit: PER_PAGE });
    const title = view.t('admin.nav.deliveries');
    const body = [card(view.t('admin.deliveries.log'), list(view, deliveries)), older(view, deliveries)];
    return sendPage(c, parts, view, { title, section: 'deliveries', body });
  });
}

function list(view: View, deliveries: ListedDelivery[]): Markup {
  const { t } = view;
  const rows = deliveries.map(
    ({ id, event, url, state: word, createdAt }) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="${PATH}/${id}">${event}</a>
          <div class="soft small any">${url}</div>
          <div class="d-md-none soft small">${moment(view, createdAt)}</div>
        </td>
        <td>${state(view, word)}</td>
        <td class="d-none d-md-table-cell small text-end">${moment(view, createdAt)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.field.event') },
    { head: t('admin.field.status') },
    { head: t('admin.field.created'), class: 'd-none d-md-table-cell text-end' },
  ];
  return table(columns, rows, t('admin.deliveries.none'));
}

function older({ t }: View, deliveries: ListedDelivery[]): Markup {
  const last = deliveries.at(-1);
  if (!last || deliveries.length < PER_PAGE) return html``;
  return html`<p class="mb-0"><a href="${PATH}?before=${last.id}">${t('admin.deliveries.older')}</a></p>`;
}
