/** /admin/failed: each cause once, with one button for all of it; each request once, with its jobs to tick; and what waits for its next try. */
import { html } from 'hono/html';
import {
  failedIds,
  groupOf,
  listFailed,
  listFailedGroups,
  removeFailed,
  replayFailed,
  type FailedGroup,
} from '../../../core/jobs/failed.js';
import { pushJobs, pushKind } from '../../../core/jobs/push.js';
import type { Listing } from '../../../core/calls/listing.js';
import type { JobView } from '../../../core/jobs/view.js';
import { FAILED } from '../../../core/resources/jobs.js';
import { countWaiting } from '../../../core/jobs/waiting.js';
import { outcomeWords } from '../../../core/webhooks/words.js';
import { isTextKey } from '../../../core/texts/index.js';
import type { AppError } from '../../../core/errors.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { Parts } from '../../parts.js';
import { commandIn } from '../../../core/commands.js';
import { icon } from '../assets/icons.js';
import { csrfField, type Page } from '../frame/layout.js';
import * as ui from '../frame/components.js';
import { checkbox, hiddenField, postButton, questionPage, reasonField } from '../frame/forms.js';
import { columnsOf } from './field-columns.js';
import { filterForm, wishOf } from './filter-form.js';
import { listFile } from './list-page.js';
import { csvButton } from './paging.js';
import * as tables from './table.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import { ago, figure, wordOf, type Markup, type View } from '../frame/view.js';

const PATH = '/admin/failed';
const GROUPS_MAX = 50;

export function failedPages(parts: Parts) {
  return listFile(new Pages(parts, 'failed'), FAILED, PATH)
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const asked = askedOf(call);
      const body = [
        filterForm(view, FAILED, { path: PATH, words: asked.words, apart: [] }),
        ...groupCards(call, asked),
        waitingCard(view, countWaiting(ctx)),
      ];
      return { title: view.t('admin.nav.failed'), body };
    })
    .post(`${PATH}/group`, async (call) => {
      const group = groupOf(call.ctx, Number(call.field('of')));
      const message = call.view.t('admin.failed.group_gone');
      if (!group) return call.goTo(PATH, { type: 'info', message });
      return call.goTo(PATH, await replay(call, failedIds(call.ctx, group)));
    })
    .post(`${PATH}/again`, async (call) => {
      const ids = ui.tickedIds(call.form);
      const requestId = ui.idOf(call.field('request'));
      const back = requestId === undefined ? '/admin/todo' : `/admin/requests/${requestId}`;
      const fault = ui.tickFault(call.view, ids, call.view.t('admin.failed.pick'));
      if (fault) return call.goTo(back, fault);
      return call.goTo(back, await (call.field('do') === 'push' ? push(call, ids) : replay(call, ids)));
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
          fields: reasonField(view, { isRequired: false }),
        };
      },
      async run({ c, ctx, by, view }) {
        const pushed = await pushKind(ctx, c.req.param('kind') ?? '', by);
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

type Asked = ReturnType<typeof askedOf>;

/** A job’s number in `group`: its group alone is shown. */
function askedOf(call: PageCall) {
  const { words, filter = {}, order } = wishOf(call, FAILED);
  const group = ui.idOf(call.query('group'));
  const all: Record<string, string> = { ...words, ...(group && { group: String(group) }) };
  return { filter, order, group, words: all };
}

async function replay({ ctx, view, actor }: PageCall, ids: number[]): Promise<Flash> {
  const result = await ui.soon(replayFailed(ctx, ids, { actor }));
  if (!result) return { type: 'info', message: view.t('admin.failed.going_on', { count: ids.length }) };
  const { replayed, failed, results } = result;
  if (failed === 0) return { type: 'success', message: view.t('admin.failed.replayed', { count: replayed }) };
  const some = view.t('admin.failed.replayed_some', { replayed, failed });
  return { type: 'danger', message: [some, ...refusals(view, results)].join(' ') };
}

/** Tried now instead of at their time. */
async function push({ ctx, view, actor }: PageCall, ids: number[]): Promise<Flash> {
  const results = await ui.soon(pushJobs(ctx, ids, { actor }));
  if (!results) return { type: 'info', message: view.t('admin.failed.going_on', { count: ids.length }) };
  const done = results.filter(({ state }) => state === 'completed').length;
  if (done === ids.length)
    return { type: 'success', message: view.t('admin.failed.replayed', { count: done }) };
  const failed = ids.length - done;
  return { type: 'danger', message: view.t('admin.failed.pushed_some', { done, failed }) };
}

/** Why some were not replayed, each reason once with the command that helps. */
function refusals({ t, advice }: View, results: readonly { refusal?: AppError }[]): string[] {
  const known = results.flatMap(({ refusal }) => refusal ?? []);
  const told = known.map((refusal) => {
    const command = commandIn(refusal.hint ?? '');
    const words = isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
    return command === undefined ? words : `${words} ${t('mail.command')} ${advice([command])}`;
  });
  return [...new Set(told)];
}

function removalPage(view: View, ids: number[]): Page {
  return questionPage(view, {
    action: `${PATH}/remove`,
    text: view.t('admin.failed.ask_remove', { count: ids.length, ids: ids.join(', ') }),
    yes: view.t('admin.failed.remove'),
    back: PATH,
    isDanger: true,
    fields: ids.map((id) => hiddenField('id', id)),
  });
}

/** A card for each group; of one alone, all of its jobs that fit on a page. */
function groupCards({ ctx, view, notices }: PageCall, asked: Asked): Markup[] {
  const { t } = view;
  const { group, order, words } = asked;
  const one = group === undefined ? undefined : groupOf(ctx, group);
  if (group !== undefined && !one) notices.push(t('admin.failed.group_gone'));
  const filter = one ?? asked.filter;
  const groups = listFailedGroups(ctx, filter, GROUPS_MAX);
  const { total, rows } = listFailed(ctx, filter, { limit: ui.TICKED_MAX, direction: order.direction });
  if (total === 0) {
    const { order: _, ...filtered } = words;
    const none = t(Object.keys(filtered).length > 0 ? 'admin.failed.none_fits' : 'admin.failed.none');
    return [html`<section class="card"><p class="empty mb-0">${none}</p></section>`];
  }
  return [
    html`<div class="head">
      <h2>${view.t('admin.failed.total', { count: total })}</h2>
      ${one ? '' : csvButton(view, PATH, words)}
    </div>`,
    ...groups.map((group) => groupCard(view, group, one !== undefined)),
    groups.length < GROUPS_MAX
      ? html``
      : html`<p class="mb-0 soft">${t('admin.failed.more_groups', { count: GROUPS_MAX })}</p>`,
    requestsForm(view, { total, rows }, { order, words, isOneCause: groups.length === 1 }),
  ];
}

function groupCard(view: View, group: FailedGroup, isAlone: boolean): Markup {
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
      ${postButton(view, {
        action: `${PATH}/group`,
        fields: { of: String(jobId) },
        words: html`${icon('arrow-repeat')} ${view.t('admin.failed.replay_all', { count: number })}`,
      })}
    </div>
    <div class="card-body d-grid gap-1">
      <div class="any fw-semibold">${error === null ? '–' : outcomeWords(view.t, error)}</div>
      <div class="small">${adviceOn(view, group)}</div>
      <div class="soft small">${times}</div>
      ${
        isAlone
          ? ''
          : html`<a class="small" href="${PATH}?group=${jobId}"
              >${t('admin.failed.show', { count: number })}</a
            >`
      }
    </div>
  </section>`;
}

/** What to do before they are tried again. */
function adviceOn({ t }: View, { kind, reason, refusal, jobId }: FailedGroup): string {
  if (refusal) return isTextKey(refusal.code) ? t(refusal.code) : refusal.message;
  // A receiver's answer is the outcome of a delivery, not a failure of a service of ours.
  if (kind === 'deliver-webhook') return t('admin.failed.advice.receiver');
  return t(`admin.failed.advice.${reason ?? 'other'}`, { id: jobId });
}

/** Each request once, with its jobs beneath, in the order of the first of them. */
function requestsForm(
  view: View,
  { total, rows }: Listing<JobView>,
  { order, words, isOneCause }: Pick<Asked, 'order' | 'words'> & { isOneCause: boolean },
): Markup {
  const { t } = view;
  const byRequest = Map.groupBy(rows, ({ job }) => job.requestId);
  const sorting = columnsOf(view, FAILED, { order, orders: FAILED.orders, path: PATH, words }).find(
    (each) => each.sorting,
  );
  const list = tables.table([...byRequest.values()], '', [
    tables.column(
      t('list.request'),
      (jobs) =>
        html`${jobs[0] ? requestLink(view, jobs[0]) : ''}
        ${jobs.map((each) => jobBox(view, each, isOneCause))}`,
      '',
      '',
    ),
    {
      ...tables.column(
        t('list.failedAt'),
        ([first]) => (first?.job.finishedAt ? ago(view, first.job.finishedAt) : '–'),
        'd-none d-md-table-cell text-end',
      ),
      ...(sorting?.sorting && { sorting: sorting.sorting }),
    },
  ]);
  const shown = { shown: figure(view, rows.length), total: figure(view, total) };
  return ui.card(
    t('admin.nav.requests'),
    html`<form method="post" action="${PATH}">
      ${csrfField(view)} ${list}
      <div class="card-body d-grid gap-2">
        ${buttons(view)}
        ${total > rows.length ? html`<p class="soft small mb-0">${t('admin.failed.shown', shown)}</p>` : ''}
      </div>
    </form>`,
  );
}

function requestLink({ t }: View, { job: { requestId }, name, reference }: JobView): Markup | string {
  if (requestId === null) return t('admin.failed.no_request');
  return ui.lead(
    `/admin/requests/${requestId}`,
    name ?? String(requestId),
    html`<span class="text-nowrap">${reference}</span>`,
  );
}

function jobBox(view: View, { job }: JobView, isOneCause: boolean): Markup {
  const { id, kind, lastError } = job;
  const { t } = view;
  const name = wordOf(view, 'job.name', kind);
  const isToldAbove = isOneCause || lastError === null;
  const words = isToldAbove ? name : t('admin.named', { name, words: outcomeWords(t, lastError) });
  return html`<div class="small">
    ${checkbox({ name: 'id', value: String(id), words: `${words} (${t('admin.failed.pick_one', { id })})` })}
  </div>`;
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
    html`<a href="/admin/jobs">${t('admin.nav.jobs')}</a>`,
  );
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
