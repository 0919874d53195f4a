/** How a page offers an advised command: as a button, or as a link to where it can be followed; not at all where only the command line can. */
import { html } from 'hono/html';
import type { Command } from '../../../core/commands.js';
import type { Context } from '../../../core/context.js';
import { actOf, type Act } from '../../../core/requests/acts.js';
import { getUserCalled } from '../../../core/users/users.js';
import { icon } from '../assets/icons.js';
import { linkTo } from '../frame/address.js';
import { hiddenField, TICKED_MAX } from '../frame/components.js';
import { csrfField } from '../frame/layout.js';
import type { Markup, View } from '../frame/view.js';
import { pathOfAct } from './fields.js';

export interface Way {
  view: View;
  ctx: Context;
  /** The classes of the button, beside `btn`. */
  look: string;
  /** What it is about. */
  requestIds: readonly number[];
  /** On the page of the request, to which it leads back. */
  isItsPage?: boolean;
}

export function wayOf(way: Way, next: Command): Markup | undefined {
  const { view, ctx, requestIds, isItsPage } = way;
  const { t } = view;
  const { name, about } = next;
  const act = actOf(next);
  const [first] = about;
  if (act && requestIds.length > 0) return link(way, pathOf(act, requestIds), t(act.label));
  switch (name) {
    case 'failed replay':
    case 'jobs push':
      return about.length > TICKED_MAX
        ? link(way, linkTo('/admin/failed', { group: String(first) }), t('admin.nav.failed'))
        : again(way, next);
    case 'webhooks enable':
      return link(way, `/admin/webhooks/${first}`, t('admin.webhook', { id: String(first) }));
    case 'webhooks redeliver':
      return link(way, `/admin/deliveries/${first}`, t('admin.delivery', { id: String(first) }));
    case 'contracts fetch-pdf':
      return link(way, `/admin/contracts/${first}/pdf`, t('admin.contract.signed_pdf'));
    case 'users set-email':
    case 'users edit':
      return link(way, `/admin/users/${getUserCalled(ctx, String(first)).id}`, t('admin.way.customer'));
    case 'doctor':
    case 'takeover':
      return undefined;
    default:
      return isItsPage || requestIds.length !== 1
        ? undefined
        : link(way, `/admin/requests/${requestIds[0]}`, t('admin.todo.open'));
  }
}

function pathOf(act: Act, ids: readonly number[]): string {
  const [first, ...others] = ids;
  if (others.length === 0) return pathOfAct(first as number, act);
  const chosen = ids.map((id): [string, string] => ['id', String(id)]);
  return `/admin/requests/several?${new URLSearchParams([['act', act.name], ...chosen]).toString()}`;
}

function link({ look }: Way, path: string, words: string): Markup {
  return html`<a class="btn ${look}" href="${path}">${words}</a>`;
}

/** Nothing is asked: what is tried again does no harm. */
function again({ view, look, requestIds, isItsPage }: Way, { name, about }: Command): Markup {
  const words = view.t('admin.failed.replay_all', { count: about.length });
  return html`<form method="post" action="/admin/failed/again">
    ${csrfField(view)} ${hiddenField('do', name === 'jobs push' ? 'push' : 'replay')}
    ${isItsPage ? hiddenField('request', requestIds[0] as number) : ''}
    ${about.map((id) => hiddenField('id', id))}
    <button class="btn ${look} btn-icon">${icon('arrow-repeat')} ${words}</button>
  </form>`;
}
