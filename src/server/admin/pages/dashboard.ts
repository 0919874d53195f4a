/** /admin: what waits and since when. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { readDashboard, type Dashboard } from '../../../core/dashboard.js';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import type { BrowsedRequest } from '../../../core/requests/browse-requests.js';
import type { JobRow, RunRow } from '../../../db/schema.js';
import type { Env, Parts } from '../../parts.js';
import { card, facts, table } from '../pieces.js';
import { sendPage, viewOf } from '../respond.js';
import { ago, count, day, label, moment, type Markup, type View } from '../view.js';

export function dashboardPage(parts: Parts) {
  return new Hono<Env>().get('/admin', (c) => {
    const view = viewOf(c, parts);
    const body = dashboard(view, readDashboard(parts.ctx));
    return sendPage(c, parts, view, { title: view.t('admin.nav.dashboard'), section: 'dashboard', body });
  });
}

function dashboard(view: View, board: Dashboard): Markup[] {
  return [tiles(view, board), lists(view, board)];
}

function tiles(view: View, { counts, failedCount, openJobCount }: Dashboard): Markup {
  const { t } = view;
  const tile = (path: string, number: number, words: string, tone = '') =>
    html`<a class="tile ${tone}" href="${path}"><b>${count(view, number)}</b> ${words}</a>`;
  return html`<div class="tiles">
    ${REQUEST_STATUSES.map((status) =>
      tile(`/admin/requests?status=${status}`, counts[status], label(view, 'admin.state', status)),
    )}
    ${tile('/admin/failed', failedCount, t('admin.nav.failed'), failedCount > 0 ? 'bad' : '')}
    <div class="tile"><b>${count(view, openJobCount)}</b> ${t('admin.dashboard.open_jobs')}</div>
  </div>`;
}

function lists(view: View, board: Dashboard): Markup {
  const { t } = view;
  return html`<div class="columns even">
    <div class="stack">
      ${board.perhapsSent.length > 0 ? card(t('admin.dashboard.perhaps_sent'), perhapsSent(view, board)) : ''}
      ${card(
        t('admin.dashboard.signature'),
        waiting(view, board.waitingSignature),
        all(view, 'WAITING_SIGNATURE', '/admin/requests?status=WAITING_SIGNATURE'),
      )}
      ${card(
        t('admin.dashboard.payment'),
        waiting(view, board.waitingPayment),
        all(view, 'WAITING_PAYMENT', '/admin/requests?status=WAITING_PAYMENT'),
      )}
    </div>
    <div class="stack">
      ${card(t('admin.dashboard.failed'), failed(view, board.failed), all(view, 'failed', '/admin/failed'))}
      ${card(t('admin.dashboard.ending'), ending(view, board))}
      ${card(
        t('admin.dashboard.runs'),
        facts([
          [t('admin.dashboard.expire'), run(view, board.lastExpiry)],
          [t('admin.dashboard.reconcile'), run(view, board.lastReconcile)],
        ]),
      )}
    </div>
  </div>`;
}

/** Its hidden words tell it from the other links of this name. */
function all(view: View, word: string, path: string): Markup {
  const { t } = view;
  const hidden = html`<span class="visually-hidden">: ${label(view, 'admin.state', word)}</span>`;
  return html`<a class="small" href="${path}">${t('admin.dashboard.all')}${hidden}</a>`;
}

/** The page of each says what to do. */
function perhapsSent(view: View, board: Dashboard): Markup {
  const { t } = view;
  const rows = board.perhapsSent.map(
    ({ request, since }) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="/admin/requests/${request.id}">${request.title}</a>
          <div class="soft small any">${request.reference}</div>
        </td>
        <td class="small text-end">${ago(view, since)}</td>
      </tr>`,
  );
  const columns = [{ head: t('admin.field.request') }, { head: t('admin.field.since'), class: 'text-end' }];
  return table(columns, rows, t('admin.dashboard.nothing_waits'));
}

function waiting(view: View, list: BrowsedRequest[]): Markup {
  const { t } = view;
  const rows = list.map(
    (one) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="/admin/requests/${one.request.id}">${one.request.title}</a>
          <div class="soft small any">${one.request.reference} · ${one.customer.username}</div>
        </td>
        <td class="small text-end">${ago(view, one.request.statusSince)}</td>
      </tr>`,
  );
  const columns = [{ head: t('admin.field.request') }, { head: t('admin.field.since'), class: 'text-end' }];
  return table(columns, rows, t('admin.dashboard.nothing_waits'));
}

function failed(view: View, jobs: JobRow[]): Markup {
  const { t } = view;
  const rows = jobs.map(
    ({ kind, requestId, lastError, finishedAt }) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="${requestId === null ? '/admin/failed' : `/admin/requests/${requestId}`}"
            ><span class="cap">${label(view, 'job.name', kind)}</span></a
          >
          <div class="soft small any">${lastError}</div>
        </td>
        <td class="small text-end">${ago(view, finishedAt as string)}</td>
      </tr>`,
  );
  const columns = [{ head: t('admin.field.job') }, { head: t('admin.field.since'), class: 'text-end' }];
  return table(columns, rows, t('admin.failed.none'));
}

function ending(view: View, { endingSoon }: Dashboard): Markup {
  const { t } = view;
  const rows = endingSoon.map(
    ({ contract, request }) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="/admin/requests/${request.id}">${request.title}</a>
          <div class="soft small">${request.reference}</div>
        </td>
        <td class="small text-end">${day(view, contract.expiredAt as string)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.field.request') },
    { head: t('admin.field.sign_before'), class: 'text-end' },
  ];
  return table(columns, rows, t('admin.dashboard.nothing_ends'));
}

function run(view: View, last: RunRow | undefined): Markup {
  if (!last) return html`<span class="soft">${view.t('admin.dashboard.never')}</span>`;
  const numbers = Object.entries(JSON.parse(last.result ?? '{}') as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${label(view, 'admin.run', name)} ${String(value)}`);
  return html`${moment(view, last.startedAt)} <span class="soft">· ${numbers.join(', ')}</span>`;
}
