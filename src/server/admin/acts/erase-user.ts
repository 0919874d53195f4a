/** Erasing a person's data: what would go, or why it must stay; then a reason, and the deed. */
import { html } from 'hono/html';
import { eraseUser } from '../../../core/personal-data/erase-user.js';
import { AppError } from '../../../core/errors.js';
import { formatDay } from '../../../core/texts/format.js';
import { faultWords, isTextKey } from '../../../core/texts/index.js';
import type { Flash } from '../../../core/users/sessions.js';
import { getUser } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import { card } from '../frame/components.js';
import { postButton, reasonField, type Question } from '../frame/forms.js';
import { Pages } from '../frame/pages.js';
import type { PageCall } from '../frame/page-call.js';
import { figure, wordOf, type Markup, type View } from '../frame/view.js';

export function eraseUserPages(parts: Parts) {
  return new Pages(parts, 'users').asked('/admin/users/:id{[0-9]+}/erase', {
    back: ({ id }) => `/admin/users/${id}`,
    ask,
    async run(call) {
      const { ctx, id, actor, neededReason: reason, view } = call;
      try {
        await eraseUser(ctx, id, { actor, reason });
        return view.t('admin.users.erased');
      } catch (error) {
        return kept(call, error);
      }
    },
  });
}

async function ask(call: PageCall): Promise<Question | Flash> {
  const { ctx, id, view } = call;
  const { username } = getUser(ctx, id);
  try {
    const { erased } = await eraseUser(ctx, id, { actor: call.actor, dryRun: true });
    const { requests, contracts, pdfs, mails, jobs } = erased;
    return {
      text: view.t('admin.users.ask_erase', {
        username,
        requests: figure(view, requests),
        contracts: figure(view, contracts),
        pdfs: figure(view, pdfs),
        mails: figure(view, mails),
        jobs: figure(view, jobs),
      }),
      yes: view.t('admin.users.erase'),
      isDanger: true,
      fields: reasonField(view, { isRequired: true }),
    };
  } catch (error) {
    return kept(call, error);
  }
}

/** With the contracts or requests that stand in the way, and from when on it is possible. */
function kept({ view }: PageCall, error: unknown): Flash {
  if (!(error instanceof AppError) || error.kind === 'not_found') throw error;
  const each = Object.entries(error.fields).map(
    ([what, why]) => `${view.t('explain.noted', { message: what, note: reasonOf(view, error.code, why) })}.`,
  );
  const why = isTextKey(error.code) ? view.t(error.code) : error.message;
  return { type: 'danger', message: [why, ...each].join(' ') };
}

function reasonOf(view: View, code: string, why: string): string {
  if (code === 'requests_open') return wordOf(view, 'state', why);
  if (code !== 'contracts_under_retention') return faultWords(view.t, why);
  const day = why === '' ? '' : formatDay(view, why);
  return day === '' ? view.t('admin.users.kept.no_end') : view.t('admin.users.kept.until', { day });
}

/** What can be done with somebody's data; nothing for those that were erased. */
export function dataCard(view: View, { id, erasedAt }: { id: number; erasedAt: string | null }): Markup {
  if (erasedAt !== null) return html``;
  const { t } = view;
  return card(
    t('admin.users.data'),
    html`<div class="card-body actions">
      ${postButton(view, { action: `/admin/users/${id}/export`, words: t('admin.users.export') })}
      <a class="btn btn-sm btn-outline-danger" href="/admin/users/${id}/erase">${t('admin.users.erase')}</a>
    </div>`,
  );
}
