/** Jobs whose attempts are used up, as their lists show them (rules 5). */
import { JOB_NAMES } from '../jobs/names.js';
import type { JobView } from '../jobs/view.js';
import { REFERENCE } from './fields.js';
import { choice, declare, search, span, type PagedReads } from './resource.js';

const filters = {
  kind: choice(JOB_NAMES, { label: 'list.job', about: 'of this kind', said: 'job.name' }),
  error: search({
    label: 'list.error_contains',
    about: 'whose error contains this text, in any letter case',
  }),
  failedAt: span({ label: 'list.failedAt', about: 'that failed' }),
};
const orders = { failedAt: 'desc' } as const;

export type FailedReads = PagedReads<JobView, typeof filters, keyof typeof orders>;

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
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../jobs/list-failed.js'),
});
