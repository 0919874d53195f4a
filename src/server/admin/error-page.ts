/** Refusals as pages: what happened in a sentence, and the way back. */
import { html } from 'hono/html';
import { isTextKey, type TextKey } from '../../core/texts/index.js';
import { judge, type HttpError } from '../errors.js';
import type { Parts } from '../parts.js';
import { sendPage, viewOf } from './respond.js';
import type { View } from './view.js';
import type { Call } from './visit.js';

export function answerWithPage(parts: Parts) {
  return (error: Error, c: Call): Promise<Response> => sendErrorPage(c, parts, judge(error, c, parts));
}

export function sendErrorPage(c: Call, parts: Parts, error: HttpError): Promise<Response> {
  const view = viewOf(c, parts);
  const { t } = view;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const isStaff = c.get('visit')?.user.role === 'ROLE_ADMIN';
  const body = html`<div class="card medium">
    <div class="card-body">
      <p>${sentence(view, error)}</p>
      <p class="soft small">${t('admin.error.id', { id: c.get('requestId') })}</p>
      ${isStaff ? html`<a class="btn btn-primary" href="/admin">${t('admin.error.back')}</a>` : ''}
    </div>
  </div>`;
  return sendPage(c, parts, view, { title: titleOf(view, error), body }, { status: error.status });
}

const OWN = [403, 404, 429, 503];

function titleOf({ t }: View, { status }: HttpError): string {
  return t((OWN.includes(status) ? `admin.error.${status}` : 'admin.error.other') as TextKey);
}

/** Whatever key core has named has a text; words of an unforeseen error are not shown. */
function sentence({ t }: View, { status, members }: HttpError): string {
  const { key } = members;
  if (typeof key === 'string' && isTextKey(key)) return t(key);
  return t((OWN.includes(status) ? `admin.error.${status}.text` : 'admin.error.other.text') as TextKey);
}
