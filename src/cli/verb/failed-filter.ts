/** The options that choose among failed jobs. */
import { Option } from 'commander';
import type { AskedTime } from '../../core/calls/asked-time.js';
import type { FailedFilter } from '../../core/jobs/failed.js';
import { JOB_NAMES } from '../../core/jobs/names.js';
import { textOption } from './options.js';
import type { Verb } from './verb.js';

export interface FilterFlags {
  kind?: string;
  error?: string;
  since?: AskedTime;
  until?: AskedTime;
}

export function failedFilters(command: Verb): Verb {
  return command
    .addOption(new Option('--kind <kind>', 'only this kind of job').choices(JOB_NAMES))
    .option('--error <text>', 'only errors that contain this text, in any letter case', textOption)
    .times('failed');
}

export function filterOf(
  { kind, error, since, until }: FilterFlags,
  here: Parameters<AskedTime>[0],
): FailedFilter {
  return { kind, error, since: since?.(here), until: until?.(here) };
}
