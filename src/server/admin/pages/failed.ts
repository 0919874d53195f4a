/** /admin/failed: jobs that have used up their tries; one more try for some, or off the list for good. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { setTimeout as pause } from 'node:timers/promises';
import {
  listFailed,
  removeFailed,
  replayFailed,
  type FailedFilter,
  type ReplayResult,
} from '../../../core/jobs/failed.js';
import { JOB_KINDS } from '../../../core/jobs/kinds.js';
import { isTextKey } from '../../../core/texts/index.js';
import { actorOf } from '../../../core/users/rights.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { JobRow } from '../../../db/schema.js';
import type { Env, Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { confirmation } from '../confirm.js';
import { csrfField } from '../layout.js';
import { card, table } from '../pieces.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { count, counted, label, moment, type Markup, type View } from '../view.js';
import { guardedForm, type Call } from '../visit.js';

const PATH = '/admin/failed';
const SHOWN_MAX = 100;
/** A page shall not hang on a provider that does: what takes longer goes on without it. */
const REPLAY_WAIT_MS = 5_000;

export function failedPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(PATH, (c) => {
      const view = viewOf(c, parts);
      const wish = { kind: c.req.query('kind') ?? '', error: (c.req.query('error') ?? '').slice(0, 200) };
      const found = listFailed(ctx, filterOf(wish), SHOWN_MAX);
      const body = [filters(view, wish), list(view, found)];
      return sendPage(c, parts, view, { title: view.t('admin.nav.failed'), section: 'failed', body });
    })
    .post(PATH, guardedForm(parts), async (c) => {
      const ids = idsOf(c.get('form'));
      const { t } = viewOf(c, parts);
      if (ids.length === 0) return goTo(c, parts, PATH, { type: 'info', message: t('admin.failed.pick') });
      if (c.get('form').get('do') === 'remove') return askRemoval(c, parts, ids);
      return goTo(c, parts, PATH, await replay(c, parts, ids));
    })
    .post(`${PATH}/remove`, guardedForm(parts), async (c) => {
      const { removed } = await removeFailed(ctx, idsOf(c.get('form')), {
        actor: actorOf(c.get('visit').user),
      });
      const message = counted(viewOf(c, parts), 'admin.failed.removed', removed.length);
      return goTo(c, parts, PATH, { type: 'success', message });
    });
}

function filterOf({ kind, error }: { kind: string; error: string }): FailedFilter {
  const known = JOB_KINDS.find((each) => each === kind);
  return { ...(known && { kind: known }), ...(error && { error }) };
}

function idsOf(form: URLSearchParams): number[] {
  const ids = form.getAll('id').filter((id) => /^[1-9]\d{0,14}$/.test(id));
  return ids.slice(0, SHOWN_MAX).map(Number);
}

async function replay(c: Call, parts: Parts, ids: number[]): Promise<Flash> {
  const { ctx } = parts;
  const view = viewOf(c, parts);
  const work = replayFailed(ctx, ids, { actor: actorOf(c.get('visit').user) });
  const result = await Promise.race([work, pause(REPLAY_WAIT_MS, undefined, { ref: false })]);
  if (!result) return { type: 'info', message: counted(view, 'admin.failed.going_on', ids.length) };
  const { replayed, failed } = result;
  const message =
    failed > 0
      ? [view.t('admin.failed.replayed_some', { replayed, failed }), ...refusals(view, result.results)].join(
          ' ',
        )
      : counted(view, 'admin.failed.replayed', replayed);
  return { type: failed > 0 ? 'danger' : 'success', message };
}

/** Why some were not tried, each reason once with the command that mends it. */
function refusals({ t }: View, results: ReplayResult[]): string[] {
  const known = results.flatMap(({ refusal }) => refusal ?? []);
  const told = known.map((refusal) => {
    const command = /`(.+)`/.exec(refusal.hint ?? '')?.[1];
    const words = isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
    return command === undefined ? words : `${words} ${t('admin.request.command')} ${command}`;
  });
  return [...new Set(told)];
}

function askRemoval(c: Call, parts: Parts, ids: number[]): Promise<Response> {
  const view = viewOf(c, parts);
  const { t } = view;
  const body = confirmation(view, {
    action: `${PATH}/remove`,
    text: counted(view, 'admin.failed.ask_remove', ids.length, { ids: ids.join(', ') }),
    yes: t('admin.failed.remove'),
    back: PATH,
    isDanger: true,
    fields: ids.map((id) => html`<input type="hidden" name="id" value="${id}" />`),
  });
  return sendPage(c, parts, view, { title: t('admin.failed.remove'), section: 'failed', body });
}

function filters(view: View, { kind, error }: { kind: string; error: string }): Markup {
  const { t } = view;
  return html`<form class="filters" method="get" action="${PATH}">
    <div>
      <label for="kind">${t('admin.field.job')}</label>
      <select class="form-select" id="kind" name="kind">
        <option value="">${t('admin.failed.any')}</option>
        ${JOB_KINDS.map(
          (each) =>
            html`<option value="${each}" ${each === kind ? 'selected' : ''}>
              ${label(view, 'job.name', each)}
            </option>`,
        )}
      </select>
    </div>
    <div class="grow">
      <label for="error">${t('admin.failed.error_contains')}</label>
      <input class="form-control" id="error" name="error" value="${error}" maxlength="200" />
    </div>
    <button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.requests.find')}</button>
  </form>`;
}

function list(view: View, { total, jobs }: { total: number; jobs: JobRow[] }): Markup {
  const { t } = view;
  const columns = [
    { head: t('admin.failed.choice'), isHidden: true },
    { head: t('admin.field.job') },
    { head: t('admin.field.request'), class: 'd-none d-md-table-cell' },
    { head: t('admin.field.attempts'), class: 'd-none d-lg-table-cell text-end' },
    { head: t('admin.field.failed_at'), class: 'd-none d-lg-table-cell text-end' },
  ];
  const rows = jobs.map((job) => row(view, job));
  const title =
    total > jobs.length
      ? t('admin.failed.shown', { shown: count(view, jobs.length), total: count(view, total) })
      : counted(view, 'admin.failed.total', total);
  return html`<form method="post" action="${PATH}">
    ${csrfField(view)} ${card(title, table(columns, rows, t('admin.failed.none')), buttons(view, jobs))}
  </form>`;
}

function buttons({ t }: View, jobs: JobRow[]): Markup | string {
  if (jobs.length === 0) return '';
  return html`<div class="actions">
    <label class="needs-script">
      <input class="form-check-input" type="checkbox" data-select-all /> ${t('admin.failed.all')}
    </label>
    <button class="btn btn-sm btn-primary" name="do" value="replay">
      ${icon('arrow-repeat')} ${t('admin.failed.replay')}
    </button>
    <button class="btn btn-sm btn-outline-danger" name="do" value="remove">
      ${icon('trash3')} ${t('admin.failed.remove')}
    </button>
  </div>`;
}

function row(view: View, { id, kind, requestId, attempt, lastError, finishedAt }: JobRow): Markup {
  const { t } = view;
  const request =
    requestId === null
      ? ''
      : html`<a href="/admin/requests/${requestId}">${t('admin.request', { id: requestId })}</a>`;
  return html`<tr>
    <td>
      <input
        class="form-check-input"
        type="checkbox"
        name="id"
        value="${id}"
        aria-label="${t('admin.failed.pick_one', { id })}"
      />
    </td>
    <td class="lead-cell">
      <span class="fw-semibold cap">${label(view, 'job.name', kind)}</span>
      <span class="soft small num">#${id}</span>
      <div class="small any">${lastError}</div>
      <div class="d-lg-none soft small">
        <span class="d-md-none">${request} · </span>${moment(view, finishedAt as string)}
      </div>
    </td>
    <td class="d-none d-md-table-cell small">${request}</td>
    <td class="d-none d-lg-table-cell text-end small num">${attempt}</td>
    <td class="d-none d-lg-table-cell text-end small">${moment(view, finishedAt as string)}</td>
  </tr>`;
}
