/** Who did what, when and why, about anything, as its lists show it (rules 10). */
import type { HistoryLine, Thing } from '../history/search.js';
import { HISTORY_NOUNS, HISTORY_WORDS } from '../history/words.js';
import type { Say } from '../texts/index.js';
import { whoOf } from '../users/names.js';
import { ID } from './fields.js';
import { choice, declare, ref, search, span, type Reads } from './resource.js';

const filters = {
  about: ref<Thing>('things', { label: 'list.history_about', about: 'about this' }),
  by: search({
    label: 'list.history_by',
    about: 'by this user, or this account on the server; also webhook, schedule, job, provider',
    known: 'users',
  }),
  what: choice<string>(HISTORY_NOUNS, {
    label: 'list.what',
    about: 'of this kind, or with this word, such as request.moved',
    said: 'admin.history.noun',
    others: HISTORY_WORDS,
  }),
  at: span({ label: 'list.at', about: 'that happened' }),
};
const orders = { at: 'desc' } as const;

export type HistoryReads = Reads<HistoryLine, typeof filters, keyof typeof orders>;

export const HISTORY = declare<HistoryLine>()({
  noun: ['entry', 'entries'],
  lead: 'entry',
  spare: [],
  fields: {
    id: { ...ID, forPrograms: true },
    at: { kind: 'time', fold: 'md' },
    // For people without the prefix of their account.
    actor: { kind: 'text', words: ({ actor }, say) => whoOf(say, actor), fold: 'md' },
    what: { kind: 'text', forPrograms: true },
    about: { kind: 'text', words: ({ about }, say) => thingCalled(say, about), to: pageOf },
    entry: {
      kind: 'text',
      label: 'list.what',
      of: ({ message }) => message,
      words: ({ message, note }, say) => (note === null ? message : say('explain.noted', { message, note })),
      isLong: true,
      isWhole: true,
      isSaid: true,
    },
    message: { kind: 'text', partOf: 'entry' },
    note: { kind: 'text', label: 'mail.label.reason', partOf: 'entry' },
    level: { kind: 'text', forPrograms: true },
    requestId: { kind: 'ref', label: 'list.request', forPrograms: true },
    contractId: { kind: 'ref', label: 'list.contract', forPrograms: true },
    subject: { kind: 'text', label: 'list.thing', forPrograms: true },
    detail: { kind: 'text', forPrograms: true },
  },
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../history/search.js'),
});

/** What has no name is called by noun and number, such as `webhook 3`. */
function thingCalled(say: Say, about: string | null): string {
  const [noun = '', id] = about?.split(' ') ?? [];
  return id === undefined ? noun : `${(say.find(`list.${noun}`) ?? noun).toLowerCase()} ${id}`;
}

const PAGES: Record<string, string> = {
  user: '/admin/users',
  webhook: '/admin/webhooks',
  equipment: '/admin/equipments',
};

function pageOf({ requestId, subject }: HistoryLine): string | undefined {
  if (requestId !== null) return `/admin/requests/${requestId}`;
  const [noun = '', id] = (subject ?? '').split(':');
  const page = PAGES[noun];
  return page && `${page}/${id}`;
}
