/** How the back office shows an act on a request: its button, and the fields of its question. */
import { html } from 'hono/html';
import { askedOf } from '../../../core/requests/act-input.js';
import type { Act, Asked } from '../../../core/requests/acts.js';
import type { Before } from '../../../core/requests/before-act.js';
import { typedMoney } from '../../../core/prices/typed-money.js';
import { icon } from '../assets/icons.js';
import { checkbox, hiddenField, inputs, reasonField } from '../frame/forms.js';
import { idOf } from '../frame/components.js';
import type { PageCall } from '../frame/page-call.js';
import type { Markup, View } from '../frame/view.js';

/** Where it leads. The check's address is public (rules 4). */
export function pathOfAct(requestId: number, { name }: Act): string {
  return name === 'check-signature'
    ? `/check_signature/request/${requestId}`
    : `/admin/requests/${requestId}/${name}`;
}

/** What is advised is filled; the others are quiet, but for what cannot be taken back. */
export function actButton({ t }: View, requestId: number, act: Act, isAdvised = false): Markup {
  const { label, isDanger } = act;
  const tone = act.tone ?? (isAdvised ? 'primary' : isDanger ? 'outline-danger' : 'outline-secondary');
  return html`<a class="btn btn-${tone}" href="${pathOfAct(requestId, act)}"
    >${icon(act.icon)} ${t(label)}</a
  >`;
}

/** The reason, and the options for all requests; a PDF goes with one. */
export function actFields(
  view: View,
  { options = {}, reason }: Act,
  { needsReason, takesPdf = false }: { needsReason: boolean; takesPdf?: boolean },
): Markup[] {
  const fields = Object.entries(options).flatMap(([name, { kind, label, choices }]) => {
    if (kind === 'money') return inputs(view, [{ name, label }]);
    if (kind !== 'pdf') return choices ? [] : [checkbox({ name, words: view.t(label) })];
    return takesPdf
      ? inputs(view, [{ name: 'file', label, accept: 'application/pdf' }])
      : [html`<p class="soft small mb-0">${view.t('admin.several.no_pdf')}</p>`];
  });
  return [...(reason === 'none' ? [] : [reasonField(view, { isRequired: needsReason })]), ...fields];
}

/** What was shown and can be chosen of one request; among several, `suffix` says which. */
export function fieldsOfOne({ contractId, choices }: Before, suffix = ''): Markup[] {
  return [
    ...(contractId === undefined ? [] : [hiddenField(`contract${suffix}`, contractId)]),
    ...choices.map(({ option, value, words }) =>
      checkbox({ name: option + suffix, value, words, isTicked: true }),
    ),
  ];
}

/** What was typed and ticked, for one request. Throws `invalid`, with the fault of each. */
export function askedInForm(call: PageCall, act: Act, suffix = ''): Asked {
  const { ctx, form, pdf, actor } = call;
  const reason = call.field('reason');
  const given = Object.entries(act.options ?? {}).map(([option, { kind, choices }]) => {
    const name = choices ? option + suffix : option;
    if (kind === 'money') return [option, call.field(name) || undefined] as const;
    return [option, kind === 'list' ? form.getAll(name) : form.has(name)] as const;
  });
  return {
    ...askedOf(act, { ...(reason && { reason }), ...Object.fromEntries(given) }, typedMoney(ctx.config)),
    actor,
    contractId: idOf(call.field(`contract${suffix}`)),
    pdf,
  };
}
