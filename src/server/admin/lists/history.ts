/** /admin/history: who did what, when and why, about anything; and the same as a card on other pages. */
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import { AppError } from '../../../core/errors.js';
import {
  historyNouns,
  historyWords,
  searchHistory,
  type HistoryAsked,
  type HistoryLine,
} from '../../../core/history/search.js';
import { withMoments } from '../../../core/texts/format.js';
import { whoOf } from '../../../core/texts/index.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../frame/address.js';
import * as ui from '../frame/components.js';
import { formOf, input, select } from './filter-form.js';
import { stepped } from './paging.js';
import * as tables from './table.js';
import { SEARCH_LENGTH_MAX } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import { moment, wordOf, type Markup, type View } from '../frame/view.js';

const PATH = '/admin/history';
const PER_PAGE = 50;
const ON_A_CARD = 10;

interface Wish {
  by: string;
  about: string;
  what: string;
  since: string;
}

export function historyPages(parts: Parts) {
  return new Pages(parts, 'history').get(PATH, (call) => {
    const { view } = call;
    const { t } = view;
    const wish = wishOf(call);
    const { rows, others } = stepped(call, {
      to: (cursor) => addressOf(PATH, queryOf({ ...wish, ...cursor })),
      perPage: PER_PAGE,
      read: (past, limit) => found(call, wish, { beforeId: past?.id, limit }),
      placeOf: ({ id }) => ({ id }),
    });
    const body = [filters(view, wish), ui.card(t('admin.history.all'), table(view, rows)), others];
    return { title: t('admin.nav.history'), body };
  });
}

/** The newest entries about one thing, with a link to all of them. */
export function historyCard(view: View, ctx: Context, about: string): Markup {
  const lines = searchHistory(ctx, { about, limit: ON_A_CARD });
  const all = html`<a href="${addressOf(PATH, queryOf({ about }))}">${view.t('admin.history.more')}</a>`;
  return ui.card(view.t('admin.nav.history'), table(view, lines), all);
}

function wishOf(call: PageCall): Wish {
  const asked = (name: string) => call.query(name, SEARCH_LENGTH_MAX);
  return {
    by: asked('by'),
    about: asked('about'),
    what: historyWords(asked('what')).length > 0 ? asked('what') : '',
    since: call.day('since', 'list.since'),
  };
}

/** A name that nothing has is an empty list, with a word about it. */
function found(
  { ctx, view, notices }: PageCall,
  { by, about, what, since }: Wish,
  page: Pick<HistoryAsked, 'beforeId' | 'limit'>,
): HistoryLine[] {
  try {
    return searchHistory(ctx, {
      by: by || undefined,
      about: about || undefined,
      words: what ? historyWords(what) : undefined,
      since: since ? boundsOfDay(view.timeZone, since).from.toISOString() : undefined,
      ...page,
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    notices.push(view.t('admin.history.unknown', { about }));
    return [];
  }
}

function filters(view: View, { by, about, what, since }: Wish): Markup {
  const { t } = view;
  const nouns = [...new Set([...historyNouns(), ...(what ? [what] : [])])];
  const words = nouns.map((noun) => [noun, wordOf(view, 'admin.history.noun', noun)] as const);
  const fields = [
    input('about', t('admin.history.about'), about, 'search', t('admin.history.about_hint')),
    input('by', t('admin.history.by'), by, 'search', 'anna@example.org'),
    select(view, 'what', t('admin.history.what'), what, words),
    input('since', t('list.since'), since, 'date'),
  ];
  return formOf(view, PATH, fields, [by, about, what, since].some(Boolean));
}

function table(view: View, lines: readonly HistoryLine[]): Markup {
  const { t } = view;
  return tables.table(lines, t('admin.history.none'), [
    tables.leadColumn(
      t('admin.history.what'),
      ({ message, note, at, actor }) =>
        html`<span class="any">${withMoments(view, message)}</span>
          ${note === null ? '' : html`<div class="small any pre">${t('admin.quoted', { words: note })}</div>`}
          <div class="d-md-none soft small any">${moment(view, at)} · ${whoOf(t, actor)}</div>`,
    ),
    tables.column(t('admin.history.about'), (line) => aboutOf(line), '', 'small some'),
    tables.column(t('admin.history.by'), ({ actor }) => whoOf(t, actor), tables.FROM_MD, 'small some'),
    tables.column(t('admin.delivery.at'), ({ at }) => moment(view, at), `${tables.FROM_MD} text-end`),
  ]);
}

const PAGES: Record<string, string> = { user: '/admin/users', webhook: '/admin/webhooks' };

/** With a link where the thing has a page. */
function aboutOf({ about, requestId, subject }: HistoryLine): Markup | string {
  if (about === null) return '–';
  if (requestId !== null)
    return html`<a class="text-nowrap" href="/admin/requests/${requestId}">${about}</a>`;
  const [noun = '', id] = (subject ?? '').split(':');
  const page = PAGES[noun];
  return page ? html`<a href="${page}/${id}">${about}</a>` : about;
}
