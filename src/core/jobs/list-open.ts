/** The list of jobs that wait or run. */
import { countOpenJobs } from '../../db/jobs/jobs.js';
import { listOpenJobs } from '../../db/jobs/waiting.js';
import type { JobReads } from '../resources/jobs.js';
import { JOB_NAMES } from './names.js';

type Wanted = Pick<Parameters<JobReads['walk']>[1], 'filter' | 'order'>;

export const walk: JobReads['walk'] = ({ db }, { past, limit, ...wanted }) =>
  listOpenJobs(db, { ...inDb(wanted), past, limit });

export const page: JobReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const asked = inDb(wanted);
  const found = countOpenJobs(db).filter(
    ({ kind, state }) =>
      asked.kinds.some((each) => each === kind) && asked.states.some((each) => each === state),
  );
  const total = found.reduce((sum, { count }) => sum + count, 0);
  return { total, rows: listOpenJobs(db, { ...asked, limit, offset }) };
};

function inDb({ filter: { kind, state }, order: { direction } }: Wanted) {
  return { kinds: kind ?? JOB_NAMES, states: state ?? (['available', 'running'] as const), direction };
}
