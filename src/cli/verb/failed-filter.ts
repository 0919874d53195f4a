/** The options that choose among failed jobs. */
import type { AskedTime } from '../../core/calls/asked-time.js';
import type { FailedFilter } from '../../core/jobs/failed.js';
import { JOB_NAMES } from '../../core/jobs/names.js';
import { asId, asText, choice, param, times, type Given } from './params.js';

export const FAILED_JOB = param('number that `failed list` shows', asId, { offers: 'failed-jobs' });

export const FAILED_FILTERS = {
  kind: choice('only this kind of job', JOB_NAMES, { group: 'on' }),
  error: param('only errors that contain this text, in any letter case', asText, {
    word: 'text',
    group: 'on',
  }),
  ...times('failed'),
};

export type FailedAsked = Given<{}, typeof FAILED_FILTERS>;

export function filterOf(
  { since, until, ...asked }: FailedAsked,
  here: Parameters<AskedTime>[0],
): FailedFilter {
  return { ...asked, since: since?.(here), until: until?.(here) };
}
