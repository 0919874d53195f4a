/** Archives to download: the evidence of a request, everything about a person. Made by a form, since the history tells who took one. */
import { exportRequest } from '../../../core/evidence/export-request.js';
import { forDownload, type Download } from '../../../core/evidence/download.js';
import { exportUser } from '../../../core/personal-data/export-user.js';
import { getUser } from '../../../core/users/users.js';
import { getRequest } from '../../../core/requests/requests.js';
import { sendFile } from '../../api/contracts.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { postButton } from '../frame/forms.js';
import { html } from 'hono/html';
import { orRefusal, Pages } from '../frame/pages.js';
import type { PageCall } from '../frame/page-call.js';
import type { Markup, View } from '../frame/view.js';

export function exportPages(parts: Parts) {
  return new Pages(parts, 'requests')
    .post('/admin/requests/:id{[0-9]+}/export', (call) => {
      const { ctx, id, actor } = call;
      const { reference } = getRequest(ctx, id);
      return sendOrTell(call, `/admin/requests/${id}`, `${reference}.zip`, () =>
        forDownload(ctx, (path) => exportRequest(ctx, id, path, { actor })),
      );
    })
    .post('/admin/users/:id{[0-9]+}/export', (call) => {
      const { ctx, id, actor } = call;
      getUser(ctx, id);
      return sendOrTell(call, `/admin/users/${id}`, `user-${id}.zip`, () =>
        forDownload(ctx, (path) => exportUser(ctx, id, path, { actor })),
      );
    });
}

export function exportButton(view: View, id: number): Markup {
  return postButton(view, {
    action: `/admin/requests/${id}/export`,
    words: html`${icon('file-earmark-zip')} ${view.t('admin.request.export')}`,
  });
}

/** The archive, or the page it was asked on with the refusal. */
async function sendOrTell(
  call: PageCall,
  back: string,
  name: string,
  make: () => Promise<Download>,
): Promise<Response> {
  let made: Download | undefined;
  const flash = await orRefusal(call.view, async () => {
    made = await make();
    return call.view.t('admin.request.export.made');
  });
  return made ? sendFile(call.c, { name, type: 'application/zip' }, made) : call.goTo(back, flash);
}
