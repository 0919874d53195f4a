/** `esignctl failed replay`: each job gets one more attempt; the batch goes on over failures (rules 5). */
import type { ReplayResult } from '../../core/jobs/failed.js';
import { FAILED } from '../../core/resources/jobs.js';
import { choose, confirm } from '../run/ask.js';
import { runBatch } from '../run/batch.js';
import type { Output } from '../output/output.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { filterOptions, valuesOf } from '../verb/list-command.js';
import { asCount, asId, flag, optional, param, several } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import type { Shell } from '../io.js';
import type { Session } from '../run/open.js';
import { UsageError } from '../verb/usage-error.js';
import { counted } from '../output/words.js';

export const FAILED_JOB = param('number that `failed list` shows', asId, { offers: 'failed-jobs' });

const FILTERS = filterOptions(FAILED);

export const replay = verb('failed replay', {
  about: 'run failed jobs once more and wait for the outcome; on a terminal, without ids, it asks about each',
  args: { ids: optional(several(FAILED_JOB)) },
  options: {
    all: flag('every failed job that matches the filters; asks first', { group: 'on' }),
    perMinute: param('start at most this many a minute', asCount, { word: 'count' }),
    ...FILTERS,
  },
  changes: true,
  examples: [
    '12',
    '--all --kind send-mail --reason "mail works again"',
    '--all --error timeout --per-minute 30 --yes',
    '--all --dry-run',
  ],
  check(shell, given) {
    const { ids, all } = given;
    if (all && ids.length > 0) throw new UsageError('Give ids or --all, not both.');
    if (all || isForChoosing(shell, ids)) return;
    if (ids.length === 0) throw new UsageError('Which jobs? None was given.', 'Give their ids, or --all.');
    if (Object.entries(given).some(([name, value]) => name in FILTERS && value !== undefined))
      throw new UsageError('Filters go with --all, not with ids.');
  },
  /** Replays the named jobs, all that match the filters, or those chosen at the terminal. */
  async act(shell, { ids, all, perMinute, ...filter }) {
    const { failedIds } = await import('../../core/jobs/failed.js');
    const { ctx } = shell;
    if (ids.length > 0) return replayEach(shell, await existing(shell, ids), perMinute);
    const matching = failedIds(ctx, await valuesOf(shell, ctx, FAILED, filter));
    if (!all) return chooseEach(shell, matching);
    if (matching.length > 0) await confirm(shell, `Run ${counted(matching.length, 'failed job')} again?`);
    return replayEach(shell, matching, perMinute);
  },
});

/** The options leave the choice open, and somebody can be asked. */
function isForChoosing({ io: { stdin, stderr }, out, dryRun, yes }: Shell, ids: readonly number[]): boolean {
  return ids.length === 0 && !dryRun && !yes && !out.isJson && Boolean(stdin.isTTY && stderr.isTTY);
}

/** An unknown id fails like any other of a batch. When none exists, or the only one is refused, that is thrown. */
async function existing({ ctx }: Session, ids: number[]): Promise<number[]> {
  const { findFailedJob, getFailedJob } = await import('../../core/jobs/failed.js');
  if (!ids.some((id) => findFailedJob(ctx, id))) ids.forEach((id) => getFailedJob(ctx, id));
  return ids;
}

async function replayEach(
  shell: Shell & Session,
  ids: number[],
  perMinute: number | undefined,
): Promise<ExitCode> {
  const { ctx, by } = shell;
  const { failedReplay } = await import('../../core/jobs/failed.js');
  return runBatch(shell, ids, {
    ...failedReplay(ctx, { ...by, signal: shell.signal }),
    does: 'replay',
    named: ({ kind }) => kind,
    note: ({ lastError }) => lastError,
    perMinute,
    isDone: ({ state }) => state === 'completed',
    line: (result) => lineOf(shell.out, result),
  });
}

function lineOf(out: Output, { id, kind, state, error: advice }: ReplayResult): string {
  const error = out.advice(advice);
  const job = kind === null ? String(id) : `${id} ${kind}`;
  switch (state) {
    case 'completed':
      return `replayed ${job}`;
    case 'failed':
      return `failed ${job}: ${error}`;
    case 'available':
    case 'running':
      return `not finished ${job}: the daemon still has it${error === null ? '' : `; last error: ${error}`}`;
  }
}

const CHOICES = [
  { value: 'replay', name: 'replay: run it once more' },
  { value: 'skip', name: 'skip: leave it in the list' },
  { value: 'remove', name: 'remove: take it off for good' },
  { value: 'stop', name: 'stop here' },
] as const;

/** Carries out each decision at once, so that stopping loses none. */
async function chooseEach(shell: Shell & Session, ids: number[]): Promise<ExitCode> {
  const { getFailedJob, removeFailed, replayFailed } = await import('../../core/jobs/failed.js');
  const { jobViews } = await import('../../core/jobs/view.js');
  const { ctx, by, out, signal } = shell;
  if (ids.length === 0) out.note('0 failed jobs');
  let failures = 0;
  for (const [i, id] of ids.entries()) {
    const job = getFailedJob(ctx, id);
    const { kind, attempt, lastError, finishedAt } = job;
    const about = jobViews(ctx.db, [job]).flatMap(({ reference, name }) => reference && [reference, name]);
    const facts = [
      `${id} ${kind}`,
      counted(attempt, ['attempt', 'attempts']),
      ...about,
      out.time(finishedAt),
    ];
    out.note(`${i + 1} of ${ids.length}: ${facts.join(', ')}: ${lastError}`);
    const choice = await choose(shell, `Job ${id}?`, CHOICES);
    if (choice === 'stop') break;
    if (choice === 'remove') {
      await removeFailed(ctx, [id], by);
      out.line(`removed ${id} ${kind}`);
    } else if (choice === 'replay') {
      const onResult = (result: ReplayResult) => out.line(lineOf(out, result));
      failures += (await replayFailed(ctx, [id], { ...by, signal, onResult })).failed;
    }
  }
  return failures > 0 ? EXIT.failed : EXIT.done;
}
