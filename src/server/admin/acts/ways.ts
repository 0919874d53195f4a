/** How a page offers an advised command: as a button, or as a link to where it can be followed; not at all where only the command line can. */
import { html } from 'hono/html';
import type { Command } from '../../../core/commands.js';
import type { Context } from '../../../core/context.js';
import { actOf, type Act } from '../../../core/requests/acts.js';
import { getUserCalled } from '../../../core/users/users.js';
import { icon } from '../assets/icons.js';
import { linkTo, type Markup, type View } from '../frame/view.js';
import { TICKED_MAX } from '../frame/components.js';
import { hiddenField } from '../frame/forms.js';
import { csrfField } from '../frame/layout.js';
import { pathOfAct } from './fields.js';

export interface Way {
  view: View;
  ctx: Context;
  /** The classes of the button, beside `btn`. */
  look: string;
  requestIds: readonly number[];
  /** On the page of the request, to which it leads back. */
  isItsPage?: boolean;
}

export function wayOf(way: Way, next: Command): Markup | undefined {
  const { requestIds, isItsPage = false, view } = way;
  const { t } = view;
  const act = actOf(next);
  if (act && requestIds.length > 0) return link(way, pathOf(act, requestIds), t(act.label));
  const isTriedAgain = next.name === 'failed replay' || next.name === 'jobs push';
  if (isTriedAgain && next.about.length <= TICKED_MAX) return again(way, next);
  const page = PAGES[next.name]?.(way, String(next.about[0]));
  if (page) return link(way, ...page);
  if (isItsPage || requestIds.length !== 1 || next.name === 'doctor' || next.name === 'takeover')
    return undefined;
  return link(way, `/admin/requests/${requestIds[0]}`, t('admin.todo.open'));
}

type Page = (way: Way, about: string) => [path: string, words: string];

const details: Page = ({ ctx, view: { t } }, name) => [
  `/admin/users/${getUserCalled(ctx, name).id}`,
  t('admin.way.customer'),
];

/** Where other commands can be followed. */
const PAGES: Partial<Record<Command['name'], Page>> = {
  'failed replay': ({ view: { t } }, id) => [linkTo('/admin/failed', { group: id }), t('admin.nav.failed')],
  'webhooks enable': ({ view: { t } }, id) => [`/admin/webhooks/${id}`, t('admin.webhook', { id })],
  'webhooks redeliver': ({ view: { t } }, id) => [`/admin/deliveries/${id}`, t('admin.delivery', { id })],
  'contracts fetch-pdf': ({ view: { t } }, id) => [
    `/admin/contracts/${id}/pdf`,
    t('admin.contract.signed_pdf'),
  ],
  'users set-email': details,
  'users edit': details,
};

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
