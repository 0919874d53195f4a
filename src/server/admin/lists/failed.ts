/** /admin/failed: failed jobs by their error, to replay or remove; and what waits for its next try, to be tried now. */
import { html } from 'hono/html';
import {
  everyFailed,
  failedIds,
  groupOf,
  listFailed,
  listFailedGroups,
  removeFailed,
  replayFailed,
  type FailedFilter,
  type FailedGroup,
  type ReplayResult,
} from '../../../core/jobs/failed.js';
import { JOB_NAMES } from '../../../core/jobs/names.js';
import { pushKind } from '../../../core/jobs/push.js';
import type { JobView } from '../../../core/jobs/view.js';
import type { Field } from '../../../core/resources/resource.js';
import { csvLines } from '../../../core/resources/show.js';
import { countWaiting } from '../../../core/jobs/waiting.js';
import { isTextKey } from '../../../core/texts/index.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { Parts } from '../../parts.js';
import { commandIn } from '../../../core/commands.js';
import { icon } from '../assets/icons.js';
import { csrfField, SEARCH_LENGTH_MAX, type Page } from '../frame/layout.js';
import * as ui from '../frame/components.js';
import { formOf, input, select } from './filter-form.js';
import { csvButton } from './paging.js';
import * as tables from './table.js';
import { sendList } from './list-file.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import { ago, figure, moment, wordOf, type Markup, type View } from '../frame/view.js';

const PATH = '/admin/failed';
const GROUPS_MAX = 50;

export function failedPages(parts: Parts) {
  return new Pages(parts, 'failed')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const wish = wishOf(call);
      const body = [filters(view, wish), ...groupCards(call, wish), waitingCard(view, countWaiting(ctx))];
      return { title: view.t('admin.nav.failed'), body };
    })
    .get(`${PATH}.csv`, (call) => {
      const rows = everyFailed(call.ctx, filterOf(wishOf(call)));
      return sendList(call, PATH, csvLines({ fields: FIELDS }, rows, call.view));
    })
    .post(`${PATH}/group`, async (call) => {
      const group = groupOf(call.ctx, Number(call.field('of')));
      const message = call.view.t('admin.failed.group_gone');
      if (!group) return call.goTo(PATH, { type: 'info', message });
      return call.goTo(PATH, await replay(call, failedIds(call.ctx, group)));
    })
    .asked(`${PATH}/push/:kind{[a-z-]+}`, {
      back: () => PATH,
      ask({ c, ctx, view }) {
        const kind = c.req.param('kind') ?? '';
        const count = countWaiting(ctx).find((each) => each.kind === kind)?.count ?? 0;
        if (count === 0) return { type: 'info', message: view.t('admin.failed.none_waits') };
        return {
          text: view.t('admin.failed.ask_push', { count, kind: wordOf(view, 'job.name', kind) }),
          yes: view.t('admin.failed.push'),
          fields: ui.reasonField(view, { isRequired: false }),
        };
      },
      async run({ c, ctx, actor, reason, view }) {
        const pushed = await pushKind(ctx, c.req.param('kind') ?? '', { actor, reason });
        return view.t('admin.failed.pushed', { count: pushed });
      },
    })
    .post(PATH, async (call) => {
      const ids = ui.tickedIds(call.form);
      const fault = ui.tickFault(call.view, ids, call.view.t('admin.failed.pick'));
      if (fault) return call.goTo(PATH, fault);
      if (call.form.get('do') === 'remove') return removalPage(call.view, ids);
      return call.goTo(PATH, await replay(call, ids));
    })
    .act(
      `${PATH}/remove`,
      () => PATH,
      async ({ ctx, view, form, actor }) => {
        const ids = ui.tickedIds(form);
        const fault = ui.tickFault(view, ids, view.t('admin.failed.pick'));
        if (fault) return fault;
        const { removed } = await removeFailed(ctx, ids, { actor });
        return view.t('admin.failed.removed', { count: removed.length });
      },
    );
}

/** Of the file for spreadsheets. */
const FIELDS: Record<string, Field<JobView>> = {
  id: { kind: 'id', label: 'list.id', of: ({ job }) => job.id },
  kind: {
    kind: 'text',
    label: 'list.job',
    of: ({ job }) => job.kind,
    words: ({ job }, say) => say.find(`job.name.${job.kind}`) ?? job.kind,
  },
  error: { kind: 'text', label: 'mail.label.failure', of: ({ job }) => job.lastError },
  reference: { kind: 'text', label: 'list.reference', of: ({ reference }) => reference },
  name: { kind: 'text', label: 'list.customer', of: ({ name }) => name },
  attempts: { kind: 'text', label: 'list.attempts', of: ({ job }) => job.attempt },
  failedAt: { kind: 'time', label: 'list.failedAt', of: ({ job }) => job.finishedAt },
};

type Wish = ReturnType<typeof wishOf>;

function wishOf(call: PageCall) {
  return {
    kind: call.choice('kind', 'list.job', JOB_NAMES),
    error: call.query('error', SEARCH_LENGTH_MAX),
    /** A job whose group alone is shown. */
    group: ui.idOf(call.query('group')),
  };
}

function filterOf({ kind, error }: Wish): FailedFilter {
  return { kind, ...(error && { error }) };
}

function isFiltered({ kind, error, group }: Wish): boolean {
  return [kind, error, group].some(Boolean);
}

async function replay({ ctx, view, actor }: PageCall, ids: number[]): Promise<Flash> {
  const result = await ui.soon(replayFailed(ctx, ids, { actor }));
  if (!result) return { type: 'info', message: view.t('admin.failed.going_on', { count: ids.length }) };
  const { replayed, failed, results } = result;
  if (failed === 0) return { type: 'success', message: view.t('admin.failed.replayed', { count: replayed }) };
  const some = view.t('admin.failed.replayed_some', { replayed, failed });
  return { type: 'danger', message: [some, ...refusals(view, results)].join(' ') };
}

/** Why some were not replayed, each reason once with the command that helps. */
function refusals({ t, advice }: View, results: ReplayResult[]): string[] {
  const known = results.flatMap(({ refusal }) => refusal ?? []);
  const told = known.map((refusal) => {
    const command = commandIn(refusal.hint ?? '');
    const words = isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
    return command === undefined ? words : `${words} ${t('mail.command')} ${advice([command])}`;
  });
  return [...new Set(told)];
}

function removalPage(view: View, ids: number[]): Page {
  return ui.questionPage(view, {
    action: `${PATH}/remove`,
    text: view.t('admin.failed.ask_remove', { count: ids.length, ids: ids.join(', ') }),
    yes: view.t('admin.failed.remove'),
    back: PATH,
    isDanger: true,
    fields: ids.map((id) => ui.hiddenField('id', id)),
  });
}

function filters(view: View, wish: Wish): Markup {
  const { t } = view;
  const { kind = '', error } = wish;
  const kinds = JOB_NAMES.map((each) => [each, wordOf(view, 'job.name', each)] as const);
  const fields = [
    select(view, 'kind', t('list.job'), kind, kinds),
    input('error', t('admin.failed.error_contains'), error, 'search'),
  ];
  return formOf(view, PATH, fields, isFiltered(wish));
}

/** A card for each group; of one alone, all of its jobs that fit on a page. */
function groupCards({ ctx, view, notices }: PageCall, wish: Wish): Markup[] {
  const { t } = view;
  const one = wish.group === undefined ? undefined : groupOf(ctx, wish.group);
  if (wish.group !== undefined && !one) notices.push(t('admin.failed.group_gone'));
  const filter = one ?? filterOf(wish);
  const groups = listFailedGroups(ctx, filter, GROUPS_MAX);
  const { total, rows } = listFailed(ctx, filter, ui.TICKED_MAX);
  if (total === 0) {
    const none = t(isFiltered(wish) ? 'admin.failed.none_fits' : 'admin.failed.none');
    return [html`<section class="card"><p class="empty mb-0">${none}</p></section>`];
  }
  return [
    html`<div class="head">
      <h2>${view.t('admin.failed.total', { count: total })}</h2>
      ${one ? '' : csvButton(view, PATH, filterWords(wish))}
    </div>`,
    ...groups.map((group) => {
      const jobs = rows.filter(({ job }) => job.kind === group.kind && job.lastError === group.error);
      return groupCard(view, group, jobs, one !== undefined);
    }),
    groups.length < GROUPS_MAX
      ? html``
      : html`<p class="mb-0 soft">${t('admin.failed.more_groups', { count: GROUPS_MAX })}</p>`,
  ];
}

function filterWords({ kind, error }: Wish): Record<string, string> {
  return { ...(kind && { kind }), ...(error && { error }) };
}

function groupCard(view: View, group: FailedGroup, jobs: JobView[], isOpen: boolean): Markup {
  const { t } = view;
  const { kind, error, count: number, oldest, newest, jobId } = group;
  const times =
    number === 1
      ? html`${t('state.failed')} ${ago(view, newest)}`
      : html`${t('admin.failed.oldest')} ${ago(view, oldest)} · ${t('admin.failed.newest')}
        ${ago(view, newest)}`;
  return html`<section class="card">
    <div class="card-header">
      <h2>
        <span class="cap">${wordOf(view, 'job.name', kind)}</span>
        <span class="badge text-bg-danger num">${figure(view, number)}</span>
      </h2>
      ${ui.postButton(view, {
        action: `${PATH}/group`,
        fields: { of: String(jobId) },
        words: html`${icon('arrow-repeat')} ${view.t('admin.failed.replay_all', { count: number })}`,
      })}
    </div>
    <div class="card-body d-grid gap-1">
      <div class="any fw-semibold">${error ?? '–'}</div>
      <div class="small">${adviceOn(view, group)}</div>
      <div class="soft small">${times}</div>
      ${jobs.length === 0 ? restLink(view, group) : unfolding(view, group, jobs, isOpen)}
    </div>
  </section>`;
}

/** What to do before they are tried again. */
function adviceOn({ t }: View, { reason, refusal, jobId }: FailedGroup): string {
  if (refusal) return isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
  return t(`admin.failed.advice.${reason ?? 'other'}`, { id: jobId });
}

function unfolding(view: View, group: FailedGroup, jobs: JobView[], isOpen: boolean): Markup {
  const rest = group.count > jobs.length ? restLink(view, group, isOpen) : html``;
  return html`<details class="jobs" ${isOpen ? 'open' : ''}>
    <summary class="small">${view.t('admin.failed.show', { count: jobs.length })}</summary>
    <form method="post" action="${PATH}">
      ${csrfField(view)} ${jobTable(view, jobs)} ${buttons(view)} ${rest}
    </form>
  </details>`;
}

/** To the group alone; nothing further where it is alone already. */
function restLink(view: View, { jobId, count: number }: FailedGroup, isAlone = false): Markup {
  if (isAlone) {
    const shown = { shown: figure(view, ui.TICKED_MAX), total: figure(view, number) };
    return html`<p class="soft small mb-0">${view.t('admin.failed.shown', shown)}</p>`;
  }
  return html`<a class="small" href="${PATH}?group=${jobId}"
    >${view.t('admin.failed.show', { count: number })}</a
  >`;
}

function jobTable(view: View, jobs: JobView[]): Markup {
  const { t } = view;
  const failedAt = ({ job }: JobView) => moment(view, job.finishedAt ?? '');
  return tables.table(jobs, t('admin.failed.none'), [
    ui.tickColumn(view, ({ job: { id } }) => ({ id, label: t('admin.failed.pick_one', { id }) })),
    tables.leadColumn(
      t('list.job'),
      (row) =>
        html`<span class="num">#${row.job.id}</span>
          <div class="d-md-none small any">${request(row)}</div>
          <div class="d-lg-none soft small">${failedAt(row)}</div>`,
    ),
    tables.column(t('list.request'), request, `${tables.FROM_MD} who-cell`, 'small any'),
    tables.column(t('list.attempts'), ({ job }) => job.attempt, `${tables.FROM_LG} text-end`, 'small num'),
    tables.column(t('list.failedAt'), failedAt, `${tables.FROM_LG} text-end`),
  ]);
}

/** What waits for its next try, by kind, each with a button. */
function waitingCard(view: View, waiting: { kind: string; count: number }[]): Markup {
  const { t } = view;
  if (waiting.length === 0) return html``;
  return ui.card(
    t('admin.failed.waiting'),
    tables.table(waiting, '', [
      tables.leadColumn(
        t('list.job'),
        ({ kind }) => html`<span class="cap">${wordOf(view, 'job.name', kind)}</span>`,
      ),
      tables.column(t('admin.failed.number'), (row) => figure(view, row.count), 'text-end', 'num'),
      tables.hiddenHead(
        tables.column(
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

function buttons({ t }: View): Markup {
  return html`<div class="actions">
    <label class="needs-script">
      <input class="form-check-input" type="checkbox" data-select-all /> ${t('admin.requests.all')}
    </label>
    <button class="btn btn-sm btn-outline-secondary" name="do" value="replay">
      ${icon('arrow-repeat')} ${t('admin.failed.replay')}
    </button>
    <button class="btn btn-sm btn-outline-danger" name="do" value="remove">
      ${icon('trash3')} ${t('admin.failed.remove_ticked')}
    </button>
  </div>`;
}
