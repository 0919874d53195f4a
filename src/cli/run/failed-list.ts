/** Runs `esignctl failed list`. */
import { failedStats, listFailed, type FailedFilter } from '../../core/jobs/failed.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { counted, tellCount } from './words.js';

const JOB_COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'KIND' },
  { head: 'ATTEMPTS', align: 'right' },
  { head: 'FAILED AT' },
  { head: 'REQUEST', align: 'right' },
  { head: 'LAST ERROR', isWide: true },
];

const STATS_COLUMNS: readonly Column[] = [
  { head: 'COUNT', align: 'right' },
  { head: 'KIND' },
  { head: 'ERROR', isWide: true },
];

/** At most `limit` jobs; the true total is told beside them when there are more. */
export function listCommand(shell: Shell, filter: FailedFilter, limit: number): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const { total, jobs } = listFailed(data, filter, limit);
    const list = jobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      attempts: job.attempt,
      error: job.lastError,
      failedAt: job.finishedAt,
      requestId: job.requestId,
    }));
    out.result(list, () =>
      out.table(
        JOB_COLUMNS,
        list.map(({ id, kind, attempts, failedAt, requestId, error }) => [
          String(id),
          kind,
          String(attempts),
          out.time(failedAt),
          String(requestId ?? ''),
          error ?? '',
        ]),
      ),
    );
    tellCount(out, { shown: list.length, total, all: counted(total, 'failed job') });
    return EXIT.done;
  });
}

/** Counts by kind and error, the most frequent first, over all that the filter lets through; at most `limit` of them. */
export function statsCommand(shell: Shell, filter: FailedFilter, limit: number): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const stats = failedStats(data, filter);
    const shown = stats.slice(0, limit);
    out.result(shown, () =>
      out.table(
        STATS_COLUMNS,
        shown.map(({ count, kind, error }) => [String(count), kind, error]),
      ),
    );
    const total = stats.reduce((sum, { count }) => sum + count, 0);
    if (stats.length > shown.length) {
      out.warn(`${shown.length} of ${stats.length} errors shown; --limit shows more`);
    }
    out.note(counted(total, 'failed job'));
    return EXIT.done;
  });
}
