/** /admin/failed: failed jobs, to replay or remove; and what waits for its next try, to be tried now. */
import { html } from 'hono/html';
import { setTimeout as pause } from 'node:timers/promises';
import {
  listFailed,
  removeFailed,
  replayFailed,
  type FailedFilter,
  type ReplayResult,
} from '../../../core/jobs/failed.js';
import type { Listing } from '../../../core/calls/listing.js';
import { JOB_NAMES } from '../../../core/jobs/names.js';
import { pushKind } from '../../../core/jobs/push.js';
import type { JobView } from '../../../core/jobs/view.js';
import { countWaiting } from '../../../core/jobs/waiting.js';
import { isTextKey } from '../../../core/texts/index.js';
import type { Flash } from '../../../core/users/sessions.js';
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
const REASON_LENGTH_MAX = 500;
/** A hanging provider must not hang the page; work that takes longer continues without it. */
const REPLAY_WAIT_MS = 5_000;

export function failedPages(parts: Parts) {
  return new Pages(parts, 'failed')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const wish = { kind: call.query('kind'), error: call.query('error', ERROR_LENGTH_MAX) };
      const body = [
        filters(view, wish),
        list(view, listFailed(ctx, filterOf(wish), SHOWN_MAX)),
        waitingCard(view, countWaiting(ctx)),
      ];
      return { title: view.t('admin.nav.failed'), body };
    })
    .get(`${PATH}/push/:kind{[a-z-]+}`, (call) => {
      const { ctx, view } = call;
      const kind = call.c.req.param('kind') ?? '';
      const count = countWaiting(ctx).find((each) => each.kind === kind)?.count ?? 0;
      if (count === 0) return call.goTo(PATH, { type: 'info', message: view.t('admin.failed.none_waits') });
      return call.ask({
        action: `${PATH}/push/${kind}`,
        text: counted(view, 'admin.failed.ask_push', count, { kind: wordOf(view, 'job.name', kind) }),
        yes: view.t('admin.failed.push'),
        back: PATH,
        fields: [ui.reasonField(view, { isRequired: false })],
      });
    })
    .act(
      `${PATH}/push/:kind{[a-z-]+}`,
      () => PATH,
      async (call) => {
        const { c, ctx, actor, view } = call;
        const by = { actor, reason: call.field('reason').slice(0, REASON_LENGTH_MAX) };
        const pushed = await pushKind(ctx, c.req.param('kind') ?? '', by);
        return counted(view, 'admin.failed.pushed', pushed);
      },
    )
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

function list(view: View, { total, rows }: Listing<JobView>): Markup {
  const { t } = view;
  const title =
    total > rows.length
      ? t('admin.failed.shown', { shown: count(view, rows.length), total: count(view, total) })
      : counted(view, 'admin.failed.total', total);
  return html`<form method="post" action="${PATH}">
    ${csrfField(view)} ${ui.card(title, jobTable(view, rows), buttons(view, rows.length))}
  </form>`;
}

function jobTable(view: View, jobs: JobView[]): Markup {
  const { t } = view;
  const failedAt = ({ job }: JobView) => moment(view, job.finishedAt ?? '');
  return ui.table(jobs, t('admin.failed.none'), [
    ui.hiddenHead(
      ui.column(
        t('admin.failed.choice'),
        ({ job: { id } }) =>
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
      (row) =>
        html`<span class="fw-semibold cap">${wordOf(view, 'job.name', row.job.kind)}</span>
          <span class="soft small num">#${row.job.id}</span>
          <div class="small any">${row.job.lastError}</div>
          <div class="d-lg-none soft small">
            <div class="d-md-none any">${request(row)}</div>
            ${failedAt(row)}
          </div>`,
    ),
    ui.column(t('admin.field.request'), request, `${ui.FROM_MD} who-cell`, 'small any'),
    ui.column(t('admin.field.attempts'), ({ job }) => job.attempt, `${ui.FROM_LG} text-end`, 'small num'),
    ui.column(t('admin.field.failed_at'), failedAt, `${ui.FROM_LG} text-end`),
  ]);
}

/** What waits for its next try, by kind, each with a button. */
function waitingCard(view: View, waiting: { kind: string; count: number }[]): Markup {
  const { t } = view;
  if (waiting.length === 0) return html``;
  return ui.card(
    t('admin.failed.waiting'),
    ui.table(waiting, '', [
      ui.leadColumn(
        t('admin.field.job'),
        ({ kind }) => html`<span class="cap">${wordOf(view, 'job.name', kind)}</span>`,
      ),
      ui.column(t('admin.failed.number'), (row) => count(view, row.count), 'text-end', 'num'),
      ui.hiddenHead(
        ui.column(
          t('admin.failed.push'),
          ({ kind }) =>
            html`<a class="btn btn-sm btn-outline-secondary btn-icon" href="${PATH}/push/${kind}"
              >${icon('arrow-repeat')} ${t('admin.failed.push')}</a
            >`,
          'text-end',
          '',
        ),
      ),
    ]),
  );
}

/** Its reference, and the customer's name below. */
function request({ job: { requestId }, reference, name }: JobView): Markup {
  if (requestId === null) return html``;
  return html`<a href="/admin/requests/${requestId}">${reference ?? requestId}</a>
    <div class="soft">${name}</div>`;
}

function buttons({ t }: View, count: number): Markup | string {
  if (count === 0) return '';
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
