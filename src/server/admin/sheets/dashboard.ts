/** /admin: what needs the office, what waits and since when. /admin/technical: jobs, scheduled tasks and copies. */
import { html } from 'hono/html';
import { beginningOf } from '../../../core/needs/needs.js';
import type { ScheduledRun } from '../../../core/schedule/runs.js';
import {
  readDashboard,
  readTechnical,
  readTrend,
  type Dashboard,
  type TechnicalBoard,
  type Trend,
  type Week,
} from '../../../core/status/dashboard.js';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import { label } from '../../../core/texts/index.js';
import type { RequestView } from '../../../core/requests/requests.js';
import type { JobRow, RequestRow } from '../../../core/rows.js';
import type { Parts } from '../../parts.js';
import * as ui from '../frame/components.js';
import * as tables from '../lists/table.js';
import { Pages } from '../frame/pages.js';
import { outcomeWords } from '../../../core/webhooks/words.js';
import { needsCard } from '../lists/todo.js';
import { moneyCard } from './report.js';
import { ago, figure, day, dayAndMonth, moment, wordOf, type Markup, type View } from '../frame/view.js';
import { nameOrAddress } from '../../../core/users/names.js';

const NEEDS_SHOWN = 8;

export function dashboardPage(parts: Parts) {
  return new Pages(parts, 'dashboard').get('/admin', async (call) => {
    const { ctx, view } = call;
    const board = readDashboard(ctx);
    const needs = await beginningOf(ctx, NEEDS_SHOWN);
    const body = [
      needsCard(call, needs),
      moneyCard(call),
      tiles(view, board),
      lists(view, board),
      trendCard(view, readTrend(ctx)),
    ];
    return { title: view.t('admin.nav.dashboard'), body };
  });
}

export function technicalPage(parts: Parts) {
  return new Pages(parts, 'technical').get('/admin/technical', ({ ctx, view }) => {
    return { title: view.t('admin.nav.technical'), body: technical(view, readTechnical(ctx)) };
  });
}

function tile(view: View, path: string, number: number, words: string): Markup {
  return html`<a class="tile" href="${path}"><b>${figure(view, number)}</b> ${words}</a>`;
}

function tiles(view: View, { counts }: Dashboard): Markup {
  return html`<div class="tiles">
    ${REQUEST_STATUSES.map((status) =>
      tile(view, `/admin/requests?status=${status}`, counts[status], wordOf(view, 'state', status)),
    )}
  </div>`;
}

function lists(view: View, board: Dashboard): Markup {
  const { t } = view;
  return html`<div class="columns even">
    <div class="stack">
      ${ui.card(
        t('admin.dashboard.signature'),
        waiting(view, board.waitingSignature),
        all(view, 'WAITING_SIGNATURE', '/admin/requests?status=WAITING_SIGNATURE'),
      )}
      ${ui.card(t('admin.dashboard.ending'), ending(view, board))}
    </div>
    <div class="stack">
      ${ui.card(
        t('admin.dashboard.payment'),
        waiting(view, board.waitingPayment),
        all(view, 'WAITING_PAYMENT', '/admin/requests?status=WAITING_PAYMENT'),
      )}
    </div>
  </div>`;
}

function technical(view: View, board: TechnicalBoard): Markup {
  const { t } = view;
  return html`<div class="columns even">
    <div class="stack">
      <div class="tiles">
        ${tile(view, '/admin/failed', board.failedCount, t('admin.nav.failed'))}
        ${tile(view, '/admin/jobs', board.openJobCount, t('admin.nav.jobs'))}
      </div>
      ${ui.card(t('admin.dashboard.failed'), failed(view, board.failed), all(view, 'failed', '/admin/failed'))}
    </div>
    <div class="stack">
      ${ui.card(
        t('admin.dashboard.runs'),
        ui.facts([
          ...board.runs.map((each): [string, Markup] => [t(`admin.dashboard.${each.run}`), run(view, each)]),
          [t('admin.dashboard.offsite'), offSite(view, board.copies.offSite)],
        ]),
      )}
    </div>
  </div>`;
}

/** Its label distinguishes it from other links of the same name. */
function all(view: View, word: string, path: string): Markup {
  const { t } = view;
  const label = t('admin.requests.all_of', { state: wordOf(view, 'state', word) });
  return html`<a class="small" href="${path}" aria-label="${label}">${t('admin.requests.all')}</a>`;
}

interface Entry {
  href: string;
  title: Markup | string;
  small: string;
  at: Markup;
}

/** A few rows, each with the time that counts for it. */
function shortList<Row>(
  rows: readonly Row[],
  { heads, empty, of }: { heads: [string, string]; empty: string; of: (row: Row) => Entry },
): Markup {
  return tables.table(rows.map(of), empty, [
    tables.leadColumn(heads[0], ({ href, title, small }) => ui.lead(href, title, small)),
    tables.column(heads[1], ({ at }) => at, 'text-end'),
  ]);
}

function entryOf({ id, title, reference }: RequestRow) {
  return { href: `/admin/requests/${id}`, title, small: reference };
}

function waiting(view: View, rows: RequestView[]): Markup {
  const { t } = view;
  return shortList(rows, {
    heads: [t('list.customer'), t('list.since')],
    empty: t('admin.dashboard.nothing_waits'),
    of: ({ request, customer }) => ({
      href: `/admin/requests/${request.id}`,
      title: nameOrAddress(customer),
      small: `${request.title} · ${request.reference}`,
      at: ago(view, request.statusSince),
    }),
  });
}

function failed(view: View, jobs: JobRow[]): Markup {
  const { t } = view;
  return shortList(jobs, {
    heads: [t('list.job'), t('list.since')],
    empty: t('admin.failed.none'),
    of: ({ kind, requestId, lastError, finishedAt }) => ({
      href: requestId === null ? '/admin/failed' : `/admin/requests/${requestId}`,
      title: html`<span class="cap">${wordOf(view, 'job.name', kind)}</span>`,
      small: lastError === null ? '' : outcomeWords(t, lastError),
      at: ago(view, finishedAt ?? ''),
    }),
  });
}

function ending(view: View, { endingSoon }: Dashboard): Markup {
  const { t } = view;
  return shortList(endingSoon, {
    heads: [t('list.request'), t('evidence.sign_before')],
    empty: t('admin.dashboard.nothing_ends'),
    of: ({ signBefore, ...request }) => ({ ...entryOf(request), at: day(view, signBefore ?? '') }),
  });
}

function offSite(view: View, { madeAt, isLate }: TechnicalBoard['copies']['offSite']): Markup {
  const { t } = view;
  const last = madeAt === null ? t('admin.dashboard.no_copy') : moment(view, madeAt);
  return isLate
    ? html`${last} · <strong class="text-danger-emphasis">${t('admin.dashboard.late')}</strong>`
    : html`${last}`;
}

function run(view: View, { lastAt, result, nextAt, isLate }: ScheduledRun): Markup {
  const { t } = view;
  const numbers = Object.entries(result).flatMap(([name, value], i) => {
    // Of the nightly housekeeping and the backup `status` tells more; here it is whether they ran.
    const words = label(t, `admin.run.${name}`, '', { count: value });
    // Of the others, none is nothing to tell.
    return words === '' || (i > 0 && value === 0) ? [] : [words];
  });
  const told = numbers.length > 0 ? html` <span class="soft">· ${numbers.join(', ')}</span>` : '';
  const last = lastAt === null ? t('admin.dashboard.never') : html`${moment(view, lastAt)}${told}`;
  const next =
    nextAt === null ? t('admin.dashboard.off') : html`${t('admin.dashboard.next')} ${moment(view, nextAt)}`;
  return html`${last}
    <div class="soft small">
      ${isLate ? html`<strong class="text-danger-emphasis">${t('admin.dashboard.late')}</strong> · ` : ''}${next}
    </div>`;
}

// The last three months as bars, drawn here: no script, and the numbers as a table for who cannot see them.

const SERIES = ['sent', 'signed', 'paid'] as const;
const HEIGHT = 110;
const WEEK_WIDTH = 50;
const BAR_WIDTH = 11;
const GAP = 2;

function trendCard(view: View, { weeks, daysToSign, daysToPay }: Trend): Markup {
  const { t } = view;
  const half = (key: 'signs' | 'pays', days: number | null) =>
    days === null ? [] : t(`admin.trend.${key}`, { span: spanOf(view, days) });
  return ui.card(
    t('admin.trend'),
    html`<div class="trend">
      ${chart(view, weeks)}
      <ul class="legend">
        ${SERIES.map((name) => html`<li class="${name}">${t(`admin.trend.${name}`)}</li>`)}
      </ul>
      <p class="mb-0 soft small">${[half('signs', daysToSign), half('pays', daysToPay)].flat().join(' ')}</p>
      ${ui.folded(t('admin.trend.numbers'), html`<div class="table-responsive">${numbers(view, weeks)}</div>`)}
    </div>`,
  );
}

function chart(view: View, weeks: readonly Week[]): Markup {
  const most = Math.max(1, ...weeks.flatMap((week) => SERIES.map((name) => week[name])));
  const bars = weeks.flatMap((week, i) =>
    SERIES.map((name, j) => {
      const height = (week[name] / most) * HEIGHT;
      const x = i * WEEK_WIDTH + j * (BAR_WIDTH + GAP);
      return html`<rect
        class="${name}"
        x="${x}"
        y="${HEIGHT - height}"
        width="${BAR_WIDTH}"
        height="${height}"
        rx="1.5"
      />`;
    }),
  );
  const labels = weeks.flatMap(({ monday }, i) =>
    i % 3 === 0
      ? [html`<text x="${i * WEEK_WIDTH}" y="${HEIGHT + 20}">${dayAndMonth(view, monday)}</text>`]
      : [],
  );
  const width = weeks.length * WEEK_WIDTH;
  return html`<svg viewBox="0 0 ${width} ${HEIGHT + 26}" aria-hidden="true" focusable="false">
    <line x1="0" x2="${width}" y1="${HEIGHT}" y2="${HEIGHT}" />
    ${bars} ${labels}
  </svg>`;
}

function numbers(view: View, weeks: readonly Week[]): Markup {
  const { t } = view;
  return tables.table(weeks, '', [
    tables.leadColumn(t('admin.trend.week'), ({ monday }) => dayAndMonth(view, monday)),
    ...SERIES.map((name) =>
      tables.column<Week>(t(`admin.trend.${name}`), (week) => figure(view, week[name])),
    ),
  ]);
}

/** `1 day`, `2.5 days`; whatever is less is within a day. */
function spanOf({ locale }: View, days: number): string {
  const how = { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, how).format(Math.max(1, days));
}
