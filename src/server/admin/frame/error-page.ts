/** Refusals as pages: one sentence and a way back. */
import { html } from 'hono/html';
import { isAdmin } from '../../../core/users/rights.js';
import { judge, type HttpError } from '../../http/errors.js';
import type { Call, Parts } from '../../parts.js';
import { PageCall } from './page-call.js';
import type { View } from './view.js';

export function answerWithPage(parts: Parts) {
  return (error: Error, c: Call): Promise<Response> => {
    const refusal = judge(error, c, parts);
    for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value);
    const call = new PageCall(c, parts);
    const { t } = call.view;
    const session = c.get('session');
    const body = html`<div class="card medium">
      <div class="card-body">
        <p>${sentence(call.view, refusal)}</p>
        <p class="soft small">${t('admin.error.id', { id: c.get('requestId') })}</p>
        ${session && isAdmin(session.user) ? html`<a class="btn btn-primary" href="/admin">${t('admin.error.back')}</a>` : ''}
      </div>
    </div>`;
    const { status } = refusal;
    return call.send({ title: t(`admin.error.${namedStatus(refusal)}`), body, status });
  };
}

/** Keys from core have texts; messages of unexpected errors are not shown. */
function sentence({ t }: View, error: HttpError): string {
  const { key } = error.members;
  const words = typeof key === 'string' ? t.find(key) : undefined;
  return words ?? t(`admin.error.${namedStatus(error)}.text`);
}

/** The statuses that have a text of their own. */
function namedStatus({ status }: HttpError): 403 | 404 | 429 | 503 | 'other' {
  return status === 403 || status === 404 || status === 429 || status === 503 ? status : 'other';
}
