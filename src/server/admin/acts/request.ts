/** The acts on a request: each asks for confirmation, then shows the result. Core decides whether it is open. */
import { askedOf } from '../../../core/requests/act-input.js';
import { ACTS, type Act } from '../../../core/requests/acts.js';
import { beforeAct } from '../../../core/requests/before-act.js';
import { getRequest } from '../../../core/requests/requests.js';
import type { Parts } from '../../parts.js';
import { actFields, actGiven } from './fields.js';
import { hiddenField, idOf } from '../frame/components.js';
import { orRefusal } from '../frame/outcome.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';

export function requestActs(parts: Parts) {
  const pages = new Pages(parts, 'requests');
  for (const act of ACTS) {
    const path = `/admin/requests/:id{[0-9]+}/${act.name}`;
    pages
      .get(path, (call) => ask(call, act))
      .answer(
        path,
        (call) => `/admin/requests/${call.id}/${act.name}`,
        (call) => run(call, act),
      );
  }
  return pages;
}

async function run(call: PageCall, act: Act): Promise<Response> {
  const { ctx, id, actor, view } = call;
  const contractId = idOf(call.field('contract'));
  const asked = { ...askedOf(act, actGiven(call, act)), actor, contractId };
  const flash = await orRefusal(view, () => act.run(ctx, getRequest(ctx, id), asked));
  return call.goTo(`/admin/requests/${id}`, flash);
}

/** An act that is no longer open leads to the request's page. */
function ask(call: PageCall, act: Act): Promise<Response> {
  const { ctx, view } = call;
  const { t } = view;
  const request = getRequest(ctx, call.id);
  const back = `/admin/requests/${request.id}`;
  const { isOpen, question, needsReason, contractId, links } = beforeAct(ctx, request, act);
  if (!isOpen) return call.goTo(back, { type: 'info', message: t('admin.error.not_now') });
  return call.ask({
    action: `${back}/${act.name}`,
    text: [question, ...links].join(' '),
    yes: t(act.label),
    back,
    isDanger: act.isDanger ?? false,
    fields: [
      ...actFields(view, act, needsReason),
      ...(contractId === undefined ? [] : [hiddenField('contract', contractId)]),
    ],
  });
}
