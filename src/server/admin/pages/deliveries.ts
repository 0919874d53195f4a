/** /admin/deliveries: what was sent to subscribers, and what became of it; one delivery with its tries can be sent again. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { actorOf } from '../../../core/users/rights.js';
import { browseDeliveries, type ListedDelivery } from '../../../core/webhooks/browse-deliveries.js';
import { redeliver } from '../../../core/webhooks/deliveries.js';
import { idParam } from '../../iri.js';
import type { Env, Parts } from '../../parts.js';
import { orRefusal } from '../outcome.js';
import { card, state, table } from '../pieces.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { moment, type Markup, type View } from '../view.js';
import { guardedForm } from '../visit.js';
import { deliverySheet } from './delivery.js';

const PATH = '/admin/deliveries';
const PER_PAGE = 50;

export function deliveryPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(PATH, (c) => {
      const view = viewOf(c, parts);
      const before = c.req.query('before') ?? '';
      const beforeId = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
      const deliveries = browseDeliveries(ctx, { beforeId, limit: PER_PAGE });
      const title = view.t('admin.nav.deliveries');
      const body = [card(view.t('admin.deliveries.log'), list(view, deliveries)), older(view, deliveries)];
      return sendPage(c, parts, view, { title, section: 'deliveries', body });
    })
    .get(`${PATH}/:id{[0-9]+}`, (c) => {
      const view = viewOf(c, parts);
      const title = view.t('admin.delivery', { id: idParam(c) });
      const body = deliverySheet(view, ctx, c.get('visit').user, idParam(c));
      return sendPage(c, parts, view, { title, section: 'deliveries', body });
    })
    .post(`${PATH}/:id{[0-9]+}/redeliver`, guardedForm(parts), async (c) => {
      const flash = await orRefusal(viewOf(c, parts), async () => {
        await redeliver(ctx, idParam(c), { actor: actorOf(c.get('visit').user) });
        return { type: 'success', key: 'admin.delivery.owed' };
      });
      return goTo(c, parts, `${PATH}/${idParam(c)}`, flash);
    });
}

function list(view: View, deliveries: ListedDelivery[]): Markup {
  const { t } = view;
  const rows = deliveries.map(
    ({ id, event, url, state: word, createdAt }) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="${PATH}/${id}">${event}</a> <span class="soft small num">#${id}</span>
          <div class="soft small any">${url}</div>
          <div class="d-md-none soft small">${moment(view, createdAt)}</div>
        </td>
        <td class="text-end text-md-start">${state(view, word)}</td>
        <td class="d-none d-md-table-cell small text-end">${moment(view, createdAt)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.field.event') },
    { head: t('admin.field.status'), class: 'text-end text-md-start' },
    { head: t('admin.field.created'), class: 'd-none d-md-table-cell text-end' },
  ];
  return table(columns, rows, t('admin.deliveries.none'));
}

function older({ t }: View, deliveries: ListedDelivery[]): Markup {
  const last = deliveries.at(-1);
  if (!last || deliveries.length < PER_PAGE) return html``;
  return html`<p class="mb-0"><a href="${PATH}?before=${last.id}">${t('admin.deliveries.older')}</a></p>`;
}
