/** An act on several requests: chosen in their list, shown one by one before the question; one that fails stops no other. */
import { html } from 'hono/html';
import { askedOf } from '../../../core/requests/act-input.js';
import { ACTS, type Act, type Asked } from '../../../core/requests/acts.js';
import { beforeAct, type Before } from '../../../core/requests/before-act.js';
import { getRequest, viewsOf, type RequestView } from '../../../core/requests/requests.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { Parts } from '../../parts.js';
import { actFields, actGiven } from './fields.js';
import { addressOf } from '../frame/address.js';
import { hiddenField, idOf, soon, tickColumn, tickedIds, tickFault } from '../frame/components.js';
import { orRefusal } from '../frame/outcome.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import type { Column } from '../lists/table.js';
import type { Markup, View } from '../frame/view.js';
import { nameOrAddress } from '../../../core/users/names.js';

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

export function severalRequests(parts: Parts) {
  return new Pages(parts, 'requests')
    .get(PATH, (call) => ask(call, new URL(call.c.req.url).searchParams))
    .answer(
      PATH,
      ({ form }) => questionAt(form),
      async (call) => {
        const chosen = chosenIn(call, call.form);
        if ('message' in chosen) return call.goTo(LIST, chosen);
        const { act, ids } = chosen;
        const asked = { ...askedOf(act, actGiven(call, act)), actor: call.actor };
        const done = await soon(actOnEach(call, act, ids, asked));
        const goingOn = { type: 'info', message: call.view.t('admin.several.going_on') } as const;
        return call.goTo(LIST, done ?? goingOn);
      },
    );
}

/** Or what is wrong with the choice. */
function chosenIn({ view }: PageCall, given: URLSearchParams): { act: Act; ids: number[] } | Flash {
  const act = ACTS.find(({ name }) => name === given.get('act'));
  const none = view.t('admin.several.none');
  if (!act) return { type: 'info', message: none };
  const ids = tickedIds(given);
  return tickFault(view, ids, none) ?? { act, ids };
}

function questionAt(form: URLSearchParams): string {
  const query = new URLSearchParams({ act: form.get('act') ?? '' });
  for (const id of tickedIds(form)) query.append('id', String(id));
  return addressOf(PATH, query);
}

function ask(call: PageCall, given: URLSearchParams): Promise<Response> {
  const { ctx, view } = call;
  const chosen = chosenIn(call, given);
  if ('message' in chosen) return call.goTo(LIST, chosen);
  const { act, ids } = chosen;
  const requests = ids.map((id) => getRequest(ctx, id));
  const shown = viewsOf(ctx.db, requests).map((each) => ({
    ...each,
    before: beforeAct(ctx, each.request, act),
  }));
  return call.ask({
    action: PATH,
    text: view.t('admin.several.ask', { count: shown.length, act: view.t(act.label) }),
    yes: view.t(act.label),
    back: LIST,
    isDanger: act.isDanger ?? false,
    fields: [
      html`<ul class="mb-0">
        ${shown.map((one) => line(view, one))}
      </ul>`,
      ...actFields(
        view,
        act,
        shown.some(({ before }) => before.needsReason),
      ),
      hiddenField('act', act.name),
      ...shown.flatMap(({ request: { id }, before: { contractId } }) => [
        hiddenField('id', id),
        ...(contractId === undefined ? [] : [hiddenField(contractField(id), contractId)]),
      ]),
    ],
  });
}

/** The contract that was shown. */
function contractField(requestId: number): string {
  return `contract.${requestId}`;
}

/** Whose it is, what it costs, and what will happen. */
function line({ t }: View, { request, customer, before }: RequestView & { before: Before }): Markup {
  const who = nameOrAddress(customer);
  const what = before.isOpen ? before.links.join(' ') : t('admin.error.not_now');
  return html`<li class="any">
    <a href="${LIST}/${request.id}">${request.reference}</a>, ${request.title}, ${who}, ${before.price}
    <div class="soft small">${what}</div>
  </li>`;
}

async function actOnEach(call: PageCall, act: Act, ids: readonly number[], asked: Asked): Promise<Flash> {
  const { t } = call.view;
  const failures: string[] = [];
  // One that is not there is told before anything is done.
  for (const { id, reference } of ids.map((id) => getRequest(call.ctx, id))) {
    const contractId = idOf(call.field(contractField(id)));
    const { type, message } = await tried(call, act, id, { ...asked, contractId });
    if (type === 'danger') failures.push(`${reference}: ${message}`);
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
