/** /admin/report: the last months in figures, and the rows behind each (rules 15). */
import { html } from 'hono/html';
import { isMonth } from '../../../core/calls/asked-time.js';
import {
  FIGURES,
  lastMonths,
  monthSpan,
  readReport,
  reportRows,
  thisMonth,
  type Figure,
  type Report,
} from '../../../core/report/report.js';
import { sumWords } from '../../../core/payment/price.js';
import { REPORTED } from '../../../core/resources/report.js';
import { csvLines } from '../../../core/resources/show.js';
import { formatMonth } from '../../../core/texts/format.js';
import type { Parts } from '../../parts.js';
import { linkTo, figure as number, type Markup, type View } from '../frame/view.js';
import { card } from '../frame/components.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import { columnsOf } from '../lists/field-columns.js';
import { sendList } from '../lists/list-page.js';
import { csvButton } from '../lists/paging.js';
import * as tables from '../lists/table.js';

const PATH = '/admin/report';
const MONTHS = 12;
const ROWS_MAX = 200;

export function reportPage(parts: Parts) {
  return new Pages(parts, 'report')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { month, figures } = askedOf(call);
      const rows = reportRows(ctx, monthSpan(ctx, month), { figures, limit: ROWS_MAX });
      const words = figures.length === 1 ? view.t(`report.${figures[0] as Figure}`) : '';
      const heading = [formatMonth(view.locale, month), words].filter(Boolean).join(' · ');
      const file = rows.length > 0 ? csvButton(view, PATH, wordsOf(month, figures)) : '';
      return {
        title: view.t('admin.nav.report'),
        body: [
          card(view.t('admin.report.months'), monthTable(view, monthsOf(call, MONTHS))),
          html`<p class="soft small mb-0">${view.t('admin.report.overdue')}</p>`,
          card(heading, tables.table(rows, view.t('admin.report.none'), columnsOf(view, REPORTED)), file),
        ],
      };
    })
    .get(`${PATH}.csv`, (call) => {
      const { month, figures } = askedOf(call);
      const rows = reportRows(call.ctx, monthSpan(call.ctx, month), { figures });
      return sendList(call, PATH, csvLines(REPORTED, rows, call.view));
    });
}

const MONTHS_ON_DASHBOARD = 2;

/** On the dashboard: this month and the one before. */
export function moneyCard(call: PageCall): Markup {
  const { t } = call.view;
  const all = html`<a class="small" href="${PATH}">${t('admin.nav.report')}</a>`;
  return card(t('admin.dashboard.money'), monthTable(call.view, monthsOf(call, MONTHS_ON_DASHBOARD)), all);
}

function askedOf(call: PageCall): { month: string; figures: readonly Figure[] } {
  const typed = call.query('month', 10);
  if (typed !== '' && !isMonth(typed)) call.ignored('admin.report.month', typed);
  const figure = call.choice('figure', 'list.figure', FIGURES);
  return {
    month: isMonth(typed) ? typed : thisMonth(call.ctx),
    figures: figure === undefined ? FIGURES : [figure],
  };
}

function wordsOf(month: string, figures: readonly Figure[]) {
  return { month, ...(figures.length === 1 && { figure: figures[0] }) };
}

interface Month {
  month: string;
  report: Report;
}

function monthsOf({ ctx }: PageCall, count: number): Month[] {
  return lastMonths(ctx, count).map((month) => ({ month, report: readReport(ctx, monthSpan(ctx, month)) }));
}

/** A number leads to the rows behind it. */
function monthTable(view: View, months: readonly Month[]): Markup {
  const { t } = view;
  const cell = ({ month, report: { blocks } }: Month, name: Figure) => {
    const sums = blocks.flatMap(({ currency, [name]: { count, amount } }) =>
      count > 0 ? [{ currency, amount }] : [],
    );
    const count = blocks.reduce((sum, block) => sum + block[name].count, 0);
    if (count === 0) return html`<span class="soft">–</span>`;
    return html`<a href="${linkTo(PATH, { month, figure: name })}">${number(view, count)}</a>
      <div class="soft small">${sumWords(view.locale, sums)}</div>`;
  };
  return tables.table(months, '', [
    tables.leadColumn(
      t('admin.report.month'),
      ({ month }) =>
        html`<a class="title" href="${linkTo(PATH, { month })}">${formatMonth(view.locale, month)}</a>`,
    ),
    // A phone has room for the money; the month leads to the rest.
    ...FIGURES.map((name) =>
      tables.column<Month>(
        t(`report.${name}`),
        (one) => cell(one, name),
        `text-end ${name === 'paid' || name === 'overdue' ? '' : tables.FROM_MD}`.trim(),
        'text-nowrap',
      ),
    ),
  ]);
}
