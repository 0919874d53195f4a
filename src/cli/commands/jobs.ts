/** `esignctl jobs …`: work that waits (rules 10). */
import { Option } from 'commander';
import { JOB_NAMES, type JobName } from '../../core/jobs/names.js';
import type { PushResult } from '../../core/jobs/waiting.js';
import type { JobRow } from '../../db/schema.js';
import { runBatch } from '../batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellList, type List } from '../lists.js';
import { withData, withSession } from '../open.js';
import { idList } from '../options.js';
import type { Output } from '../output.js';
import type { Verb } from '../verb.js';
import { counted } from '../words.js';

export function jobs(program: Verb): void {
  const jobs = program
    .command('jobs')
    .description('work that waits or runs: see it, have it tried now')
    .examples('jobs list', 'jobs push 12');
  jobs
    .command('list')
    .description('jobs that run, then those that wait, the next due first')
    .addOption(new Option('--kind <kind>', 'only this kind of job').choices(JOB_NAMES))
    .limit('at most this many jobs')
    .examples('jobs list', 'jobs list --kind send-mail --json')
    .does(list);
  jobs
    .command('push')
    .description('try waiting jobs now instead of at their time, and wait for the outcome')
    .known('<ids...>', 'number that `jobs list` shows', 'waiting-jobs', idList)
    .changes()
    .examples('jobs push 12', 'jobs push 12 13 --reason "mail server is back"', 'jobs push 12 --dry-run')
    .does(push);
}

const JOBS: List<ReturnType<typeof listed>> = {
  noun: 'open job',
  columns: [
    { head: 'ID', align: 'right', of: ({ id }) => id },
    { head: 'KIND', of: ({ kind }) => kind },
    { head: 'STATE', of: ({ state }) => state },
    { head: 'ATTEMPTS', align: 'right', of: ({ attempts }) => attempts },
    { head: 'NEXT TRY', of: ({ runAt }, out) => out.time(runAt) },
    { head: 'REQUEST', align: 'right', of: ({ requestId }) => requestId },
    { head: 'LAST ERROR', isWide: true, of: ({ error }) => error },
  ],
};

function listed({ id, kind, state, attempt: attempts, runAt, requestId, lastError: error }: JobRow) {
  return { id, kind, state, attempts, runAt, requestId, error };
}

async function list(shell: Shell, flags: { kind?: JobName; limit: number }): Promise<void> {
  const { listWaiting } = await import('../../core/jobs/waiting.js');
  return withData(shell, (data) => {
    const { total, jobs } = listWaiting(data, flags);
    return tellList(shell.out, JOBS, { rows: jobs.map(listed), total });
  });
}

async function push(shell: Shell, _: object, ids: number[]): Promise<ExitCode> {
  const { getWaitingJob, pushJobs } = await import('../../core/jobs/waiting.js');
  return withSession(shell, ({ ctx, by }) =>
    runBatch<PushResult>(shell, ids, {
      did: 'pushed',
      doing: 'trying',
      foretell: (asked) => {
        const { id, kind, state, runAt } = getWaitingJob(ctx, asked);
        return { result: { id, kind, state, error: null, runAt }, line: `would try ${id} ${kind}` };
      },
      run: (onResult) => pushJobs(ctx, ids, { ...by, signal: shell.signal, onResult }),
      isDone: ({ state }) => state === 'completed',
      line: (result) => lineOf(shell.out, result),
      soFar: (done) => `${done} of ${counted(ids.length, 'job')} tried; the others wait as before`,
    }),
  );
}

function lineOf(out: Output, { id, kind, state, error, runAt }: PushResult): string {
  switch (state) {
    case 'completed':
      return `done ${id} ${kind}`;
    case 'available':
      return `failed ${id} ${kind}: ${error}; next try ${out.time(runAt)}`;
    case 'failed':
      return `failed for good ${id} ${kind}: ${error}`;
    case 'running':
      return `not finished ${id} ${kind}: somebody still has it`;
    case null:
      return `failed ${id}: ${error}`;
  }
}
