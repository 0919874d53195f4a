/**
 * The acts on a request, and on several that were chosen in their list: each is shown before the question, and one that fails stops
 * no other. Core decides whether an act is open.
 */
import { html } from 'hono/html';
import { ACTS, type Act, type Asked } from '../../../core/requests/acts.js';
import { beforeAct, type Before } from '../../../core/requests/before-act.js';
import { getRequest, requestViews, type RequestView } from '../../../core/requests/requests.js';
import type { RequestRow } from '../../../core/rows.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { Parts } from '../../parts.js';
import { actFields, askedInForm, fieldsOfOne } from './fields.js';
import { facts, soon, tickColumn, tickedIds, tickFault } from '../frame/components.js';
import { flashOfRefusal, orRefusal, Pages } from '../frame/pages.js';
import type { PageCall } from '../frame/page-call.js';
import type { Column } from '../lists/table.js';
import type { Markup, View } from '../frame/view.js';
import { nameOrAddress, nameWithAddress } from '../../../core/users/names.js';

const LIST = '/admin/requests';
const PATH = `${LIST}/several`;
const FORM = 'several';

/** In the list: a box for each, and the form below it. */
export const CHOICE = { column: choiceColumn, form: choiceForm };

function choiceColumn(view: View): Column<RequestView> {
  return tickColumn(view, ({ request: { id, reference } }) => ({ id, label: reference }), FORM);
}

function choiceForm({ t }: View): Markup {
  return html`<form class="actions" id="${FORM}" method="get" action="${PATH}">
    <label for="act">${t('admin.several.act')}</label>
    <select class="form-select w-auto" id="act" name="act">
      ${ACTS.map(({ name, label }) => html`<option value="${name}">${t(label)}</option>`)}
    </select>
    <button class="btn btn-outline-secondary">${t('admin.several.go_on')}</button>
  </form>`;
}

export function requestActs(parts: Parts) {
  const pages = new Pages(parts, 'requests');
  for (const act of ACTS) {
    const takesPdf = act.options?.['pdf'] !== undefined;
    pages.asked(`/admin/requests/:id{[0-9]+}/${act.name}`, {
      takesPdf,
      back: ({ id }) => `/admin/requests/${id}`,
      ask({ ctx, id, view }) {
        const request = getRequest(ctx, id);
        const before = beforeAct(ctx, request, act);
        const { isOpen, sends, question, links, needsReason } = before;
        if (!isOpen) return { type: 'info', message: view.t('admin.error.not_now') };
        return {
          text: [question, ...links].join(' '),
          yes: view.t(act.label),
          isDanger: act.isDanger ?? false,
          fields: [
            ...(sends ? [sending(view, ctx, request, before)] : []),
            ...fieldsOfOne(before),
            ...actFields(view, act, { needsReason, takesPdf }),
          ],
        };
      },
      run: (call) => act.run(call.ctx, getRequest(call.ctx, call.id), askedInForm(call, act)),
    });
  }
  return several(pages);
}

/** To whom the contract goes, what it costs and says. */
function sending(view: View, { db }: PageCall['ctx'], request: RequestRow, { price }: Before): Markup {
  const { t } = view;
  return html`${requestViews(db, [request]).map(({ customer }) =>
    facts([
      [t('list.customer'), nameWithAddress(customer)],
      [t('pdf.price.label'), price],
      [t('list.request'), request.title],
      [t('evidence.description'), html`<span class="pre">${request.description}</span>`],
    ]),
  )}`;
}

function several(pages: Pages): Pages {
  return pages.asked(PATH, {
    back: () => LIST,
    ask(call) {
      const { ctx, view } = call;
      const chosen = chosenIn(call);
      if ('message' in chosen) return chosen;
      const { act, ids } = chosen;
      const shown = requestViews(
        ctx.db,
        ids.map((id) => getRequest(ctx, id)),
      ).map((each) => ({
        ...each,
        before: beforeAct(ctx, each.request, act),
      }));
      const possible = shown.filter(({ before }) => before.isPossible);
      const others = shown.filter(({ before }) => !before.isPossible);
      if (possible.length === 0) {
        const why = others.map(({ request, before }) =>
          view.t('explain.noted', { message: request.reference, note: whatFollows(view, before) }),
        );
        return { type: 'info', message: [view.t('admin.several.impossible'), ...why].join(' ') };
      }
      const needsReason = possible.some(({ before }) => before.needsReason);
      return {
        text: view.t('admin.several.ask', { count: possible.length, act: view.t(act.label) }),
        yes: view.t(act.label),
        isDanger: act.isDanger ?? false,
        fields: [
          listOf(view, possible),
          ...(others.length > 0 ? [html`<p class="mb-0">${view.t('admin.several.others')}</p>`] : []),
          ...(others.length > 0 ? [listOf(view, others)] : []),
          ...actFields(view, act, { needsReason }),
        ],
      };
    },
    async run(call) {
      const chosen = chosenIn(call);
      if ('message' in chosen) return chosen;
      const goingOn = { type: 'info', message: call.view.t('admin.several.going_on') } as const;
      return (await soon(actOnEach(call, chosen))) ?? goingOn;
    },
  });
}

interface Chosen {
  act: Act;
  ids: readonly number[];
}

/** Or what is wrong with the choice. */
function chosenIn({ c, view }: PageCall): Chosen | Flash {
  const query = new URL(c.req.url).searchParams;
  const act = ACTS.find(({ name }) => name === query.get('act'));
  const none = view.t('admin.several.none');
  if (!act) return { type: 'info', message: none };
  const ids = tickedIds(query);
  return tickFault(view, ids, none) ?? { act, ids };
}

const suffixOf = (requestId: number) => `.${requestId}`;

type Shown = RequestView & { before: Before };

function listOf(view: View, shown: readonly Shown[]): Markup {
  return html`<ul class="mb-0">
    ${shown.map((one) => line(view, one))}
  </ul>`;
}

/** Or why nothing does. */
function whatFollows(view: View, { isOpen, refusal, question, links }: Before): string {
  if (!isOpen) return view.t('admin.error.not_now');
  return refusal ? flashOfRefusal(view, refusal).message : [question, ...links].join(' ');
}

/** Whose it is, what it costs, what will happen, and what can be chosen. */
function line(view: View, { request, customer, before }: Shown): Markup {
  const { id, reference, title } = request;
  const { isPossible, price } = before;
  return html`<li class="any">
    <a href="${LIST}/${id}">${reference}</a>, ${title}, ${nameOrAddress(customer)}, ${price}
    <div class="soft small">${whatFollows(view, before)}</div>
    ${isPossible ? fieldsOfOne(before, suffixOf(id)) : ''}
  </li>`;
}

async function actOnEach(call: PageCall, { act, ids }: Chosen): Promise<Flash> {
  const { t } = call.view;
  // One that is not there, or a reason that will not do, is told before anything is done.
  const work = ids.map((id) => ({
    request: getRequest(call.ctx, id),
    asked: askedInForm(call, act, suffixOf(id)),
  }));
  const failures: string[] = [];
  for (const { request, asked } of work) {
    const { type, message } = await tried(call, act, request.id, asked);
    if (type === 'danger') failures.push(t('explain.noted', { message: request.reference, note: message }));
  }
  const done = ids.length - failures.length;
  if (failures.length === 0) return { type: 'success', message: t('admin.several.done', { count: done }) };
  const some = t('admin.several.some', { done, failed: failures.length });
  return { type: 'danger', message: [some, ...failures].join(' ') };
}

/** What is no refusal is logged, and stops no other either. */
async function tried({ ctx, view }: PageCall, act: Act, requestId: number, asked: Asked): Promise<Flash> {
  try {
    return await orRefusal(view, () => act.run(ctx, getRequest(ctx, requestId), asked));
  } catch (error) {
    ctx.log.error({ err: error, requestId }, 'an act on one of several requests failed');
    return { type: 'danger', message: view.t('admin.error.other') };
  }
}
