/** /admin/failed: failed jobs, to replay or remove. */
import { html } from 'hono/html';
import { setTimeout as pause } from 'node:timers/promises';
import {
  listFailed,
  removeFailed,
  replayFailed,
  type FailedFilter,
  type ReplayResult,
} from '../../../core/jobs/failed.js';
import { JOB_NAMES } from '../../../core/jobs/names.js';
import { isTextKey } from '../../../core/texts/index.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { JobRow } from '../../../db/schema.js';
import type { Parts } from '../../parts.js';
import { commandIn, commandLine } from '../../../core/commands.js';
import { icon } from '../assets/icons.js';
import { csrfField } from '../layout.js';
import * as ui from '../components.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { count, counted, moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/failed';
const SHOWN_MAX = 100;
const ERROR_LENGTH_MAX = 200;
/** A hanging provider must not hang the page; work that takes longer continues without it. */
const REPLAY_WAIT_MS = 5_000;

export function failedPages(parts: Parts) {
  return new Pages(parts, 'failed')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const wish = { kind: call.query('kind'), error: call.query('error', ERROR_LENGTH_MAX) };
      const body = [filters(view, wish), list(view, listFailed(ctx, filterOf(wish), SHOWN_MAX))];
      return { title: view.t('admin.nav.failed'), body };
    })
    .post(PATH, async (call) => {
      const ids = idsOf(call.form);
      const message = call.view.t('admin.failed.pick');
      if (ids.length === 0) return call.goTo(PATH, { type: 'info', message });
      if (call.form.get('do') === 'remove') return askRemoval(call, ids);
      return call.goTo(PATH, await replay(call, ids));
    })
    .act(
      `${PATH}/remove`,
      () => PATH,
      async ({ ctx, view, form, actor }) => {
        const { removed } = await removeFailed(ctx, idsOf(form), { actor });
        return counted(view, 'admin.failed.removed', removed.length);
      },
    );
}

function filterOf({ kind, error }: { kind: string; error: string }): FailedFilter {
  const known = JOB_NAMES.find((each) => each === kind);
  return { ...(known && { kind: known }), ...(error && { error }) };
}

function idsOf(form: URLSearchParams): number[] {
  const ids = form.getAll('id').filter((id) => /^[1-9]\d{0,14}$/.test(id));
  return ids.slice(0, SHOWN_MAX).map(Number);
}

async function replay({ ctx, view, actor }: PageCall, ids: number[]): Promise<Flash> {
  const work = replayFailed(ctx, ids, { actor });
  const result = await Promise.race([work, pause(REPLAY_WAIT_MS, undefined, { ref: false })]);
  if (!result) return { type: 'info', message: counted(view, 'admin.failed.going_on', ids.length) };
  const { replayed, failed, results } = result;
  if (failed === 0) return { type: 'success', message: counted(view, 'admin.failed.replayed', replayed) };
  const some = view.t('admin.failed.replayed_some', { replayed, failed });
  return { type: 'danger', message: [some, ...refusals(view, results)].join(' ') };
}

/** Why some were not replayed, each reason once with the command that helps. */
function refusals({ t }: View, results: ReplayResult[]): string[] {
  const known = results.flatMap(({ refusal }) => refusal ?? []);
  const told = known.map((refusal) => {
    const command = commandIn(refusal.hint ?? '');
    const words = isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
    return command === undefined ? words : `${words} ${t('admin.request.command')} ${commandLine(command)}`;
  });
  return [...new Set(told)];
}

function askRemoval(call: PageCall, ids: number[]): Promise<Response> {
  const { view } = call;
  return call.ask({
    action: `${PATH}/remove`,
    text: counted(view, 'admin.failed.ask_remove', ids.length, { ids: ids.join(', ') }),
    yes: view.t('admin.failed.remove'),
    back: PATH,
    isDanger: true,
    fields: ids.map((id) => ui.hiddenField('id', id)),
  });
}

function filters(view: View, { kind, error }: { kind: string; error: string }): Markup {
  const { t } = view;
  const fields = html`<div>
      <label for="kind">${t('admin.field.job')}</label>
      <select class="form-select" id="kind" name="kind">
        <option value="">${t('admin.failed.any')}</option>
        ${JOB_NAMES.map(
          (each) =>
            html`<option value="${each}" ${each === kind ? 'selected' : ''}>
              ${wordOf(view, 'job.name', each)}
            </option>`,
        )}
      </select>
    </div>
    <div class="grow">
      <label for="error">${t('admin.failed.error_contains')}</label>
      <input class="form-control" id="error" name="error" value="${error}" maxlength="${ERROR_LENGTH_MAX}" />
    </div>
    ${ui.findButton(view)}`;
  return ui.filterForm(PATH, fields);
}

function list(view: View, { total, jobs }: { total: number; jobs: JobRow[] }): Markup {
  const { t } = view;
  const title =
    total > jobs.length
      ? t('admin.failed.shown', { shown: count(view, jobs.length), total: count(view, total) })
      : counted(view, 'admin.failed.total', total);
  return html`<form method="post" action="${PATH}">
    ${csrfField(view)} ${ui.card(title, jobTable(view, jobs), buttons(view, jobs))}
  </form>`;
}

function jobTable(view: View, jobs: JobRow[]): Markup {
  const { t } = view;
  const request = ({ requestId }: JobRow) => (requestId === null ? '' : ui.requestLink(view, requestId));
  const failedAt = ({ finishedAt }: JobRow) => moment(view, finishedAt ?? '');
  return ui.table(jobs, t('admin.failed.none'), [
    ui.hiddenHead(
      ui.column(
        t('admin.failed.choice'),
        ({ id }) =>
          html`<input
            class="form-check-input"
            type="checkbox"
            name="id"
            value="${id}"
            aria-label="${t('admin.failed.pick_one', { id })}"
          />`,
        '',
        '',
      ),
    ),
    ui.leadColumn(
      t('admin.field.job'),
      (job) =>
        html`<span class="fw-semibold cap">${wordOf(view, 'job.name', job.kind)}</span>
          <span class="soft small num">#${job.id}</span>
          <div class="small any">${job.lastError}</div>
          <div class="d-lg-none soft small">
            <span class="d-md-none">${request(job)} · </span>${failedAt(job)}
          </div>`,
    ),
    ui.column(t('admin.field.request'), request, ui.FROM_MD),
    ui.column(t('admin.field.attempts'), ({ attempt }) => attempt, `${ui.FROM_LG} text-end`, 'small num'),
    ui.column(t('admin.field.failed_at'), failedAt, `${ui.FROM_LG} text-end`),
  ]);
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
