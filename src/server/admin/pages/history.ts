/** /admin/history: who did what, when and why, about anything; and the same as a card on other pages. */
import { cursorOf } from '../../../core/calls/cursor.js';
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import { AppError } from '../../../core/errors.js';
import { historyNouns, historyWords, searchHistory, type HistoryLine } from '../../../core/history/search.js';
import { withMoments } from '../../../core/texts/format.js';
import { whoOf } from '../../../core/texts/who.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../address.js';
import * as ui from '../components.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import { alertOf } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/history';
const PER_PAGE = 50;
const ON_A_CARD = 10;
const LENGTH_MAX = 254;

interface Wish {
  by: string;
  about: string;
  what: string;
  since: string;
}

export function historyPages(parts: Parts) {
  return new Pages(parts, 'history').get(PATH, (call) => {
    const { ctx, view } = call;
    const { t } = view;
    const wish = wishOf(call);
    const beforeId = lists.placeIn(call);
    const { lines, isUnknown } = found(ctx, view, wish, beforeId);
    const { shown, last } = lists.pageOf(lines, PER_PAGE);
    const to = (past?: { id: number }) =>
      addressOf(PATH, queryOf({ ...wish, cursor: past && cursorOf(past) }));
    const body = [
      filters(view, wish),
      isUnknown
        ? alertOf({ type: 'info', message: t('admin.history.unknown', { about: wish.about }) })
        : html``,
      ui.card(t('admin.history.all'), table(view, shown)),
      lists.steps(view, {
        first: beforeId === undefined ? undefined : to(),
        previous: undefined,
        next: last && to(last),
      }),
    ];
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
  const asked = (name: string) => call.query(name, LENGTH_MAX);
  return {
    by: asked('by'),
    about: asked('about'),
    what: historyWords(asked('what')).length > 0 ? asked('what') : '',
    since: call.day('since', 'admin.history.since'),
  };
}

/** A name that nothing has is an empty list, with a word about it. */
function found(
  ctx: Context,
  { timeZone }: View,
  { by, about, what, since }: Wish,
  beforeId: number | undefined,
): { lines: HistoryLine[]; isUnknown: boolean } {
  try {
    const lines = searchHistory(ctx, {
      by: by || undefined,
      about: about || undefined,
      words: what ? historyWords(what) : undefined,
      since: since ? boundsOfDay(timeZone, since).from.toISOString() : undefined,
      beforeId,
      limit: PER_PAGE + 1,
    });
    return { lines, isUnknown: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    return { lines: [], isUnknown: true };
  }
}

function filters(view: View, { by, about, what, since }: Wish): Markup {
  const { t } = view;
  const typed = (name: 'by' | 'about', value: string, hint: string) =>
    html`<div>
      <label for="${name}">${t(`admin.history.${name}`)}</label>
      <input
        class="form-control"
        id="${name}"
        name="${name}"
        value="${value}"
        maxlength="${LENGTH_MAX}"
        placeholder="${hint}"
      />
    </div>`;
  const option = (value: string, words: string) =>
    html`<option value="${value}" ${value === what ? 'selected' : ''}>${words}</option>`;
  const nouns = [...new Set([...historyNouns(), ...(what ? [what] : [])])];
  return lists.filterForm(PATH, [
    typed('about', about, t('admin.history.about_hint')),
    typed('by', by, 'anna@example.org'),
    html`<div>
      <label for="what">${t('admin.history.what')}</label>
      <select class="form-select" id="what" name="what">
        ${option('', t('admin.history.any'))}
        ${nouns.map((noun) => option(noun, wordOf(view, 'admin.history.noun', noun)))}
      </select>
    </div>`,
    html`<div>
      <label for="since">${t('admin.history.since')}</label>
      <input class="form-control" type="date" id="since" name="since" value="${since}" />
    </div>`,
    html`<div class="actions">
      ${lists.findButton(view)} ${lists.showAll(view, PATH, [by, about, what, since].some(Boolean))}
    </div>`,
  ]);
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
