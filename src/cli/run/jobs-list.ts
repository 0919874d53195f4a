/** Runs `esignctl jobs list`. */
import { listWaiting } from '../../core/jobs/waiting.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { counted, tellCount } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'KIND' },
  { head: 'STATE' },
  { head: 'ATTEMPTS', align: 'right' },
  { head: 'NEXT TRY' },
  { head: 'REQUEST', align: 'right' },
  { head: 'LAST ERROR', isWide: true },
];

export function listCommand(shell: Shell, flags: Parameters<typeof listWaiting>[1]): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const { total, jobs } = listWaiting(data, flags);
    const list = jobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      state: job.state,
      attempts: job.attempt,
      runAt: job.runAt,
      requestId: job.requestId,
      error: job.lastError,
    }));
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map(({ id, kind, state, attempts, runAt, requestId, error }) => [
          String(id),
          kind,
          state,
          String(attempts),
          out.time(runAt),
          String(requestId ?? ''),
          error ?? '',
        ]),
      ),
    );
    tellCount(out, { shown: list.length, total, all: counted(total, 'open job') });
    return EXIT.done;
  });
}
