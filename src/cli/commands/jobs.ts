/** `esignctl jobs …`: work that waits (rules 10). */
import { Option } from 'commander';
import { JOB_NAMES, type JobName } from '../../core/jobs/names.js';
import type { PushResult } from '../../core/jobs/push.js';
import type { JobRow } from '../../core/rows.js';
import { confirm } from '../run/ask.js';
import { runBatch } from '../run/batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellList, type List } from '../output/lists.js';
import { withData, withSession, type Session } from '../run/open.js';
import { idList } from '../verb/options.js';
import type { Output } from '../output/output.js';
import { UsageError } from '../verb/usage-error.js';
import type { Verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ABOUT_PUSH = `
The daemon tries them, 20 at a time; without a daemon this command does, one
after the other.`;

export function jobs(program: Verb): void {
  const jobs = program
    .command('jobs')
    .description('jobs that wait or run: list them, retry them now')
    .examples('jobs list', 'jobs push 12', 'jobs push --kind send-mail');
  jobs
    .command('list')
    .description('running jobs, then waiting ones, the next due first')
    .addOption(new Option('--kind <kind>', 'only this kind of job').choices(JOB_NAMES))
    .limit('at most this many jobs')
    .examples('jobs list', 'jobs list --kind send-mail --json')
    .does(list);
  jobs
    .command('push')
    .description('run waiting jobs now instead of at their next attempt, and wait for the outcome')
    .known('[ids...]', 'number that `jobs list` shows', 'waiting-jobs', idList)
    .addOption(new Option('--kind <kind>', 'every waiting job of this kind; asks first').choices(JOB_NAMES))
    .option('--all', 'every waiting job; asks first')
    .changes()
    .about(ABOUT_PUSH)
    .examples(
      'jobs push 12',
      'jobs push --kind send-mail --reason "mail server is back"',
      'jobs push --all --dry-run',
    )
    .does(push);
}

const JOBS: List<ReturnType<typeof listed>> = {
  noun: 'open job',
  columns: [
    { head: 'ID', align: 'right', of: ({ id }) => id },
    { head: 'KIND', of: ({ kind }) => kind },
    { head: 'STATE', of: ({ state }) => ({ state }) },
    { head: 'ATTEMPTS', align: 'right', spare: 0, of: ({ attempts }) => attempts },
    { head: 'NEXT TRY', of: ({ runAt }, out) => out.time(runAt) },
    { head: 'REQUEST', align: 'right', of: ({ requestId }) => requestId },
    { head: 'LAST ERROR', isWide: true, of: ({ error }, out) => error && out.words('outcome', error) },
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

async function push(
  shell: Shell,
  { kind, all = false }: { kind?: JobName; all?: boolean },
  named: number[] = [],
): Promise<ExitCode> {
  const isForMany = all || kind !== undefined;
  if (isForMany && named.length > 0) throw new UsageError('Give numbers, or --kind or --all, not both.');
  if (!isForMany && named.length === 0) {
    throw new UsageError('Which jobs? None was given.', 'Give their numbers, --kind or --all.');
  }
  const { waitingIds } = await import('../../core/jobs/push.js');
  const { countWaiting } = await import('../../core/jobs/waiting.js');
  return withSession(shell, async (session) => {
    if (!isForMany) return pushEach(shell, session, { ids: named });
    const ids = waitingIds(session.ctx, kind);
    const counts = countWaiting(session.ctx).filter((each) => !kind || each.kind === kind);
    const jobs = counts.map((each) => counted(each.count, `${each.kind} job`)).join(', ');
    if (ids.length > 0) await confirm(shell, `Try ${jobs} now?`);
    return pushEach(shell, session, { ids, ifWaiting: true });
  });
}

async function pushEach(
  shell: Shell,
  { ctx, by }: Session,
  { ids, ifWaiting = false }: { ids: number[]; ifWaiting?: boolean },
): Promise<ExitCode> {
  const { pushJobs } = await import('../../core/jobs/push.js');
  const { getWaitingJob } = await import('../../core/jobs/waiting.js');
  return runBatch<JobRow, PushResult>(shell, ids, {
    does: 'try',
    did: 'pushed',
    doing: 'trying',
    find: (id) => getWaitingJob(ctx, id),
    named: ({ kind }) => kind,
    untried: (id, job, error) => {
      const { kind = null, state = null, runAt = null } = error === null && job ? job : {};
      return { id, kind, state, error, runAt };
    },
    run: (onResult) => pushJobs(ctx, ids, { ...by, ifWaiting, signal: shell.signal, onResult }),
    isDone: ({ state }) => state === 'completed',
    line: (result) => lineOf(shell.out, result),
    document: (result) => ({ ...result, error: shell.out.advice(result.error) }),
    summary: (done, failed) => `done ${done}, failed ${failed}`,
    wouldSummary: (count) => (ids.length === 1 ? '' : `would try ${counted(count, 'job')}`),
    soFar: (done) => `${done} of ${counted(ids.length, 'job')} tried; the others wait as before`,
  });
}

function lineOf(out: Output, { id, kind, state, error: advice, runAt }: PushResult): string {
  const error = out.advice(advice);
  switch (state) {
    case 'completed':
      return `done ${id} ${kind}`;
    case 'available':
      return `failed ${id} ${kind}: ${error}; next attempt ${out.time(runAt)}`;
    case 'failed':
      return `failed for good ${id} ${kind}: ${error}`;
    case 'running':
      return `not finished ${id} ${kind}: it is still running`;
    case null:
      return `failed ${id}${kind === null ? '' : ` ${kind}`}: ${error}`;
  }
}
