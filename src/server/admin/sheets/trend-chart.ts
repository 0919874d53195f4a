/** The last three months as bars, drawn here: no script, and the numbers as a table for who cannot see them. */
import { html } from 'hono/html';
import type { Trend, Week } from '../../../core/status/dashboard.js';
import { card, folded } from '../frame/components.js';
import { column, leadColumn, table } from '../lists/table.js';
import { figure, dayAndMonth, type Markup, type View } from '../frame/view.js';

const SERIES = ['made', 'signed', 'paid'] as const;
const HEIGHT = 110;
const WEEK_WIDTH = 50;
const BAR_WIDTH = 11;
const GAP = 2;

export function trendCard(view: View, { weeks, daysToSign, daysToPay }: Trend): Markup {
  const { t } = view;
  const half = (key: 'signs' | 'pays', days: number | null) =>
    days === null ? [] : t(`admin.trend.${key}`, { span: spanOf(view, days) });
  return card(
    t('admin.trend'),
    html`<div class="trend">
      ${chart(view, weeks)}
      <ul class="legend">
        ${SERIES.map((name) => html`<li class="${name}">${t(`admin.trend.${name}`)}</li>`)}
      </ul>
      <p class="mb-0 soft small">${[half('signs', daysToSign), half('pays', daysToPay)].flat().join(' ')}</p>
      ${folded(t('admin.trend.numbers'), html`<div class="table-responsive">${numbers(view, weeks)}</div>`)}
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
      ? [html`<text x="${i * WEEK_WIDTH}" y="${HEIGHT + 16}">${dayAndMonth(view, monday)}</text>`]
      : [],
  );
  const width = weeks.length * WEEK_WIDTH;
  return html`<svg viewBox="0 0 ${width} ${HEIGHT + 20}" aria-hidden="true" focusable="false">
    <line x1="0" x2="${width}" y1="${HEIGHT}" y2="${HEIGHT}" />
    ${bars} ${labels}
  </svg>`;
}

function numbers(view: View, weeks: readonly Week[]): Markup {
  const { t } = view;
  return table(weeks, '', [
    leadColumn(t('admin.trend.week'), ({ monday }) => dayAndMonth(view, monday)),
    ...SERIES.map((name) => column<Week>(t(`admin.trend.${name}`), (week) => figure(view, week[name]))),
  ]);
}

/** `1 day`, `2.5 days`; whatever is less is within a day. */
function spanOf({ locale }: View, days: number): string {
  const how = { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, how).format(Math.max(1, days));
}
