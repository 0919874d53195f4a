/** The list of failed jobs. */
import { listFailedJobs } from '../../db/jobs/failed.js';
import type { FailedReads } from '../resources/jobs.js';
import { listFailed } from './failed.js';
import { jobViews } from './view.js';

export const walk: FailedReads['walk'] = ({ db }, { filter, order: { direction }, past, limit }) =>
  jobViews(db, listFailedJobs(db, filter, { direction, past, limit }));

export const page: FailedReads['page'] = (data, { filter, order: { direction }, limit, offset }) =>
  listFailed(data, filter, { direction, limit, offset });
