/** Jobs, as their lists show them: those that wait or run (rules 10), and those whose attempts are used up (rules 5). */
import { JOB_NAMES } from '../jobs/names.js';
import type { JobRow } from '../rows.js';
import { outcomeWords } from '../webhooks/words.js';
import { ID, REQUEST_ID, REFERENCE } from './fields.js';
import { choice, declare, type PagedReads, search, span } from './resource.js';
import type { JobView } from '../jobs/view.js';

const openFilters = {
  kind: choice(JOB_NAMES, { label: 'list.job', about: 'of this kind', said: 'job.name' }),
  state: choice(['available', 'running'], { label: 'list.status', about: 'in this state', said: 'state' }),
};
const openOrders = { runAt: 'asc' } as const;

export type JobReads = PagedReads<JobRow, typeof openFilters, keyof typeof openOrders>;

export const JOBS = declare<JobRow>()({
  noun: 'open job',
  isCounted: true,
  lead: 'kind',
  spare: ['attempts'],
  fields: {
    id: ID,
    kind: {
      kind: 'text',
      label: 'list.job',
      words: ({ kind }, say) => say.find(`job.name.${kind}`) ?? kind,
      isTyped: true,
    },
    state: { kind: 'state', label: 'list.status', of: ({ state }) => state },
    attempts: { kind: 'text', of: ({ attempt }) => attempt, isNumber: true },
    runAt: { kind: 'time', label: 'list.nextTryAt', of: ({ runAt }) => runAt },
    requestId: REQUEST_ID,
    error: {
      kind: 'text',
      label: 'list.lastError',
      of: ({ lastError }) => lastError,
      words: ({ lastError }, say) => outcomeWords(say, lastError ?? ''),
      isLong: true,
    },
  },
  filters: openFilters,
  orders: openOrders,
  readers: 'administrator',
  load: () => import('../jobs/list-open.js'),
});

// Jobs whose attempts are used up.

const failedFilters = {
  kind: choice(JOB_NAMES, { label: 'list.job', about: 'of this kind', said: 'job.name' }),
  error: search({
    label: 'list.error_contains',
    about: 'whose error contains this text, in any letter case',
  }),
  failedAt: span({ label: 'list.failedAt', about: 'that failed' }),
};
const failedOrders = { failedAt: 'desc' } as const;

export type FailedReads = PagedReads<JobView, typeof failedFilters, keyof typeof failedOrders>;

export const FAILED = declare<JobView>()({
  noun: 'failed job',
  isCounted: true,
  lead: 'id',
  spare: ['attempts', 'failedAt'],
  fields: {
    id: { kind: 'id', of: ({ job }) => job.id },
    kind: {
      kind: 'text',
      label: 'list.job',
      of: ({ job }) => job.kind,
      words: ({ job }, say) => say.find(`job.name.${job.kind}`) ?? job.kind,
      isTyped: true,
    },
    attempts: { kind: 'text', of: ({ job }) => job.attempt, isNumber: true, fold: 'lg' },
    error: { kind: 'text', label: 'list.lastError', of: ({ job }) => job.lastError, isLong: true },
    failedAt: { kind: 'time', of: ({ job }) => job.finishedAt, fold: 'lg' },
    request: {
      kind: 'ref',
      of: ({ job, reference }) => reference ?? job.requestId,
      to: ({ job }) => `/admin/requests/${job.requestId}`,
      fold: 'md',
    },
    requestId: { kind: 'ref', label: 'list.request', of: ({ job }) => job.requestId, partOf: 'request' },
    reference: { ...REFERENCE, partOf: 'request' },
    customer: { kind: 'address', head: 'E-MAIL', label: 'list.username', forPrograms: true },
    name: { kind: 'text', label: 'list.customer', under: 'request', isLong: true },
  },
  filters: failedFilters,
  orders: failedOrders,
  readers: 'administrator',
  load: () => import('../jobs/list-failed.js'),
});
