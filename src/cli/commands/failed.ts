/** `esignctl failed …`: the jobs whose retries are used up (rules 5). */
import type { PastError } from '../../core/jobs/past-errors.js';
import type { JobView } from '../../core/jobs/view.js';
import { FAILED } from '../../core/resources/jobs.js';
import { confirm } from '../run/ask.js';
import { EXIT } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellFields, tellTable, type Field, type ListColumn } from '../output/lists.js';
import { withData } from '../run/open.js';
import { LIMIT, listCommand, valuesOf, type Asked } from '../verb/list-command.js';
import { flag, several } from '../verb/params.js';
import { UsageError } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';
import { counted } from '../output/words.js';
import { FAILED_JOB, replay } from './failed-replay.js';

const list = listCommand('failed list', FAILED, {
  about: 'failed jobs, the newest first',
  options: { stats: flag('how many of each kind failed with the same error', { group: 'output' }) },
  examples: ['', '--kind create-payment-session --since 12h --json', '--stats --error timeout'],
  instead(shell, { stats, ...asked }) {
    if (stats && asked.csv) throw new UsageError('Give --stats or --csv, not both.');
    return stats ? tellStats(shell, asked) : undefined;
  },
});

const show = verb('failed show', {
  about: 'one failed job with the errors of its attempts',
  args: { id: FAILED_JOB },
  examples: ['12', '12 --json'],
  async read(shell, { id }) {
    const { pastErrors } = await import('../../core/jobs/past-errors.js');
    const { getFailedJob } = await import('../../core/jobs/failed.js');
    const { jobViews } = await import('../../core/jobs/view.js');
    const { out } = shell;
    const row = getFailedJob(shell, id);
    const [view] = jobViews(shell.db, [row]) as [JobView];
    const job = jobDocument(view, pastErrors(row));
    const { errors, payload, failedAt, createdAt, ...plain } = job;
    out.result(job, () =>
      tellFields(out, [
        ...Object.entries(plain),
        ['payload', JSON.stringify(payload)],
        ['createdAt', createdAt],
        ['failedAt', failedAt],
        ...errors.map(({ attempt, at, error }): Field => [`attempt ${attempt}`, `${out.time(at)} ${error}`]),
      ]),
    );
  },
});

const remove = verb('failed remove', {
  about: 'remove failed jobs for good: they will never run; asks first',
  args: { ids: several(FAILED_JOB) },
  changes: true,
  examples: ['12', '12 13 --yes --reason "paid by hand"'],
  /** Ids that are not in the list are reported with exit code 1, or 4 when none is in it. */
  async act(shell, { ids }) {
    const { findFailedJob, getFailedJob, removeFailed } = await import('../../core/jobs/failed.js');
    const { jobViews } = await import('../../core/jobs/view.js');
    const { ctx, by, out, dryRun } = shell;
    const found = ids.flatMap((id) => findFailedJob(ctx, id) ?? []);
    const kinds = new Map(found.map(({ id, kind }) => [id, kind]));
    if (kinds.size === 0) ids.slice(0, 1).forEach((id) => getFailedJob(ctx, id));
    const facts = jobViews(ctx.db, found).map(({ job, reference, name }) => {
      const about = reference === null ? '' : `, ${reference}, ${name}`;
      return `${job.id} ${job.kind}${about}: ${job.lastError}`;
    });
    await confirm(shell, `Remove ${named(kinds)} for good?`, facts);
    const { removed, missing } = dryRun
      ? { removed: [...kinds.keys()], missing: ids.filter((id) => !kinds.has(id)) }
      : await removeFailed(ctx, ids, by);
    out.result({ removed, missing }, () => {
      for (const id of removed)
        out.line(`${dryRun ? 'would remove' : 'removed'} ${id} ${kinds.get(id) ?? ''}`);
    });
    for (const id of missing) out.note(`There is no failed job ${id}.`);
    return missing.length > 0 ? EXIT.failed : EXIT.done;
  },
});

export const failed = group(
  'failed',
  {
    about: 'jobs that failed for good: list them, run them again, remove them',
    examples: ['list --stats', 'show 12', 'replay 12', 'remove 12'],
  },
  [list, show, replay, remove],
);

const ERRORS: readonly ListColumn<{ kind: string; error: string; count: number }>[] = [
  { head: 'COUNT', align: 'right', of: ({ count }) => count },
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'ERROR', isWide: true, of: ({ error }) => error },
];

/** Counts by kind and error of all that match the filter, most frequent first; at most `limit`. */
async function tellStats(shell: Shell, { limit = LIMIT, ...asked }: Asked): Promise<void> {
  const { failedStats } = await import('../../core/jobs/failed.js');
  return withData(shell, async (data) => {
    const { out } = shell;
    const all = failedStats(data, await valuesOf(shell, data, FAILED, asked));
    const shown = all.slice(0, limit);
    out.result(shown, () => tellTable(out, ERRORS, shown));
    if (all.length > shown.length) {
      out.warn(`${shown.length} of ${all.length} errors shown; --limit shows more`);
    }
    const total = all.reduce((sum, { count }) => sum + count, 0);
    out.note(counted(total, FAILED.noun));
  });
}

function jobDocument({ job, reference, customer, name }: JobView, pastErrors: readonly PastError[]) {
  const payload: unknown = JSON.parse(job.payload);
  const errors = pastErrors.map(({ attempt, at, error }) => ({ attempt, at, error }));
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    attempts: job.attempt,
    replays: job.replays,
    requestId: job.requestId,
    reference,
    customer,
    name,
    contractId: job.contractId,
    error: job.lastError,
    createdAt: job.createdAt,
    failedAt: job.finishedAt,
    payload,
    errors,
  };
}

function named(kinds: ReadonlyMap<number, string>): string {
  const [first] = kinds;
  return kinds.size === 1 && first ? `failed job ${first.join(' ')}` : counted(kinds.size, 'failed job');
}
