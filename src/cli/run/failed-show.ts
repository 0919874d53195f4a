/** Runs `esignctl failed show`. */
import { getFailedJob } from '../../core/jobs/failed.js';
import type { PastError } from '../../core/jobs/retry-policy.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column[] = [{ head: 'FIELD' }, { head: 'VALUE', isWhole: true }];

export function showCommand(shell: Shell, id: number): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const job = jobDocument(getFailedJob(data, id));
    const { errors, payload, failedAt, createdAt, ...plain } = job;
    out.result(job, () =>
      out.table(COLUMNS, [
        ...Object.entries(plain).map(([field, value]) => [field, String(value ?? '')]),
        ['payload', JSON.stringify(payload)],
        ['createdAt', out.time(createdAt)],
        ['failedAt', out.time(failedAt)],
        ...errors.map(({ attempt, at, error }) => [`attempt ${attempt}`, `${out.time(at)} ${error}`]),
      ]),
    );
    return EXIT.done;
  });
}

function jobDocument(job: ReturnType<typeof getFailedJob>) {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    attempts: job.attempt,
    replays: job.replays,
    requestId: job.requestId,
    contractId: job.contractId,
    error: job.lastError,
    createdAt: job.createdAt,
    failedAt: job.finishedAt,
    payload: JSON.parse(job.payload) as unknown,
    errors: JSON.parse(job.errors) as PastError[],
  };
}
