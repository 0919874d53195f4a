/** `esignctl jobs …`: work that waits (rules 10). */
import { JOB_NAMES } from '../../core/jobs/names.js';
import type { PushResult } from '../../core/jobs/push.js';
import { JOBS } from '../../core/resources/jobs.js';
import { confirm } from '../run/ask.js';
import { runBatch } from '../run/batch.js';
import { listCommand } from '../verb/list-command.js';
import { asId, choice, flag, optional, param, several } from '../verb/params.js';
import type { Output } from '../output/output.js';
import { UsageError } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ABOUT_PUSH = `
The daemon runs them, 20 at a time. If no daemon runs, this command runs them,
one after the other.`;

const list = listCommand('jobs list', JOBS, {
  about: 'jobs that wait or run, the next due first',
  examples: ['', '--state running', '--kind send-mail --json'],
});

const push = verb('jobs push', {
  about: 'run waiting jobs now, before they are due, and wait for the outcome',
  args: {
    ids: optional(several(param('number that `jobs list` shows', asId, { offers: 'waiting-jobs' }))),
  },
  options: {
    kind: choice('every waiting job of this kind; asks first', JOB_NAMES, { group: 'on' }),
    all: flag('every waiting job; asks first', { group: 'on' }),
  },
  changes: true,
  text: ABOUT_PUSH,
  examples: ['12', '--kind send-mail --reason "mail server is back"', '--all --dry-run'],
  check(_, { ids, kind, all }) {
    const isForMany = all || kind !== undefined;
    if (isForMany && ids.length > 0) throw new UsageError('Give numbers, or --kind or --all, not both.');
    if (!isForMany && ids.length === 0)
      throw new UsageError('Which jobs? None was given.', 'Give their numbers, --kind or --all.');
  },
  async act(shell, { ids: named, kind }) {
    const { jobPush, pushJobs, waitingIds } = await import('../../core/jobs/push.js');
    const { countWaiting } = await import('../../core/jobs/waiting.js');
    const { ctx, by } = shell;
    const isForMany = named.length === 0;
    const ids = isForMany ? waitingIds(ctx, kind) : named;
    if (isForMany && ids.length > 0) {
      const counts = countWaiting(ctx).filter((each) => !kind || each.kind === kind);
      const jobs = counts.map((each) => counted(each.count, `${each.kind} job`)).join(', ');
      await confirm(shell, `Try ${jobs} now?`);
    }
    return runBatch(shell, ids, {
      ...jobPush(ctx, by),
      does: 'try',
      named: ({ kind }) => kind,
      runAll: (onResult) =>
        pushJobs(ctx, ids, { ...by, ifWaiting: isForMany, signal: shell.signal, onResult }),
      isDone: ({ state }) => state === 'completed',
      isWaiting: ({ state }) => state === 'available' || state === 'running',
      line: (result) => lineOf(shell.out, result),
    });
  },
});

export const jobs = group(
  'jobs',
  {
    about: 'jobs that wait or run: list them, run them now',
    examples: ['list', 'push 12', 'push --kind send-mail'],
  },
  [list, push],
);

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
