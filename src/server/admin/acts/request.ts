/** The acts on a request: each asks for confirmation, then shows the result. Core decides whether it is open. */
import { ACTS } from '../../../core/requests/acts.js';
import { beforeAct } from '../../../core/requests/before-act.js';
import { getRequest } from '../../../core/requests/requests.js';
import type { Parts } from '../../parts.js';
import { actFields, askedInForm, fieldsOfOne } from './fields.js';
import { Pages } from '../frame/pages.js';

export function requestActs(parts: Parts) {
  const pages = new Pages(parts, 'requests');
  for (const act of ACTS) {
    const takesPdf = act.options?.['pdf'] !== undefined;
    pages.asked(`/admin/requests/:id{[0-9]+}/${act.name}`, {
      takesPdf,
      back: ({ id }) => `/admin/requests/${id}`,
      ask({ ctx, id, view }) {
        const before = beforeAct(ctx, getRequest(ctx, id), act);
        const { isOpen, question, links, needsReason } = before;
        if (!isOpen) return { type: 'info', message: view.t('admin.error.not_now') };
        return {
          text: [question, ...links].join(' '),
          yes: view.t(act.label),
          isDanger: act.isDanger ?? false,
          fields: [...fieldsOfOne(before), ...actFields(view, act, { needsReason, takesPdf })],
        };
      },
      run: (call) => act.run(call.ctx, getRequest(call.ctx, call.id), askedInForm(call, act)),
    });
  }
  return pages;
}
