/** How the back office shows an act on a request: its button, and the fields of its question. */
import { html } from 'hono/html';
import type { Act } from '../../../core/requests/acts.js';
import { icon } from '../assets/icons.js';
import { checkbox, reasonField } from '../frame/components.js';
import type { PageCall } from '../frame/page-call.js';
import type { Markup, View } from '../frame/view.js';

/** Where it leads. The check's address is public (rules 4). */
export function pathOfAct(requestId: number, { name }: Act): string {
  return name === 'check-signature'
    ? `/check_signature/request/${requestId}`
    : `/admin/requests/${requestId}/${name}`;
}

export function actButton({ t }: View, requestId: number, act: Act): Markup {
  const { label, look } = act;
  return html`<a class="btn btn-${look.tone}" href="${pathOfAct(requestId, act)}"
    >${icon(look.icon)} ${t(label)}</a
  >`;
}

/** The reason, and the options that have a label. */
export function actFields(view: View, { options = {}, reason }: Act, needsReason: boolean): Markup[] {
  return [
    ...(reason === 'none' ? [] : [reasonField(view, { isRequired: needsReason })]),
    ...Object.entries(options).flatMap(([name, { label }]) => (label ? checkbox(name, view.t(label)) : [])),
  ];
}

/** What was typed into them. */
export function actGiven(call: PageCall, { options = {} }: Act): Record<string, unknown> {
  const ticked = Object.keys(options).filter((name) => call.form.has(name));
  const reason = call.field('reason');
  return { ...(reason && { reason }), ...Object.fromEntries(ticked.map((name) => [name, true])) };
}
