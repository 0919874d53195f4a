/** Jobs that wait or run, as their list shows them (rules 10). */
import { JOB_NAMES } from '../jobs/names.js';
import type { JobRow } from '../rows.js';
import { outcomeWords } from '../webhooks/words.js';
import { ID, REQUEST_ID } from './fields.js';
import { choice, declare, type PagedReads } from './resource.js';

const filters = {
  kind: choice(JOB_NAMES, { label: 'list.job', about: 'of this kind', said: 'job.name' }),
  state: choice(['available', 'running'], { label: 'list.status', about: 'in this state', said: 'state' }),
};
const orders = { runAt: 'asc' } as const;

export type JobReads = PagedReads<JobRow, typeof filters, keyof typeof orders>;

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
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../jobs/list-open.js'),
});
