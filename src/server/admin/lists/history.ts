/** /admin/history: who did what, when and why, about anything; and the same as a card on other pages. */
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import { newestAbout } from '../../../core/history/search.js';
import { HISTORY } from '../../../core/resources/history.js';
import type { Parts } from '../../parts.js';
import { linkTo, type Markup, type View } from '../frame/view.js';
import { card } from '../frame/components.js';
import { columnsOf } from './field-columns.js';
import { listPage } from './list-page.js';
import { Pages } from '../frame/pages.js';
import { table } from './table.js';

const PATH = '/admin/history';
const ON_A_CARD = 10;

export function historyPages(parts: Parts) {
  return listPage(new Pages(parts, 'history'), HISTORY, {
    path: PATH,
    title: 'admin.nav.history',
    heading: 'admin.history.all',
    none: 'admin.history.none',
    noneFits: 'admin.history.none',
  });
}

/** The newest entries about one thing, with a link to all of them. */
export function historyCard(view: View, ctx: Context, about: string): Markup {
  const { t } = view;
  const list = table(newestAbout(ctx, about, ON_A_CARD), t('admin.history.none'), columnsOf(view, HISTORY));
  const all = html`<a href="${linkTo(PATH, { about })}">${t('admin.history.more')}</a>`;
  return card(t('admin.nav.history'), list, all);
}
