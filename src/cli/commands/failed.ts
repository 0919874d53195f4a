/** `esignctl failed …`: the jobs whose retries are used up (rules 5). */
import type { PastError } from '../../core/jobs/past-errors.js';
import type { JobView } from '../../core/jobs/view.js';
import { confirm } from '../run/ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { failedFilters, filterOf, type FilterFlags } from '../verb/failed-filter.js';
import type { Shell } from '../io.js';
import { tellFields, tellList, tellTable, type Field, type List, type ListColumn } from '../output/lists.js';
import { withData, withSession } from '../run/open.js';
import { idArgument, idList, limitOption } from '../verb/options.js';
import type { Verb } from '../verb/verb.js';
import { counted } from '../output/words.js';
import { replay } from './failed-replay.js';

const ID = 'number that `failed list` shows';

export function failed(program: Verb): void {
  const failed = program
    .command('failed')
    .description('jobs that failed for good: list them, run them again, remove them')
    .examples('failed list --stats', 'failed show 12', 'failed replay 12', 'failed remove 12');
  failedFilters(
    failed
      .command('list')
      .description('failed jobs, the newest first')
      .option('--stats', 'how many failed of each kind with the same error')
      .limit('at most this many jobs, or errors'),
  )
    .examples(
      'failed list',
      'failed list --kind create-payment-session --since 12h --json',
      'failed list --stats --error timeout',
    )
    .does((shell, { stats: isStats = false, ...flags }: ListFlags & { stats?: boolean }) =>
      isStats ? stats(shell, flags) : list(shell, flags),
    );
  failed
    .command('show')
    .description('one failed job with the errors of its attempts')
    .known('<id>', ID, 'failed-jobs', idArgument)
    .examples('failed show 12', 'failed show 12 --json')
    .does(show);
  failedFilters(
    failed
      .command('replay')
      .description(
        'run failed jobs once more and wait for the outcome; on a terminal, without ids, it asks about each',
      )
      .known('[ids...]', ID, 'failed-jobs', idList)
      .option('--all', 'every failed job that the filters let through; asks first')
      .option('--per-minute <count>', 'start at most this many a minute', limitOption),
  )
    .changes()
    .examples(
      'failed replay 12',
      'failed replay --all --kind send-mail --reason "mail works again"',
      'failed replay --all --error timeout --per-minute 30 --yes',
      'failed replay --all --dry-run',
    )
    .does(replay);
  failed
    .command('remove')
    .description('remove failed jobs for good: they will never run; asks first')
    .known('<ids...>', ID, 'failed-jobs', idList)
    .changes()
    .examples('failed remove 12', 'failed remove 12 13 --yes --reason "paid by hand"')
    .does(remove);
}

type ListFlags = FilterFlags & { limit: number };

const FAILED: List<ReturnType<typeof listed>> = {
  noun: 'failed job',
  columns: [
    { head: 'ID', align: 'right', of: ({ id }) => id },
    { head: 'KIND', of: ({ kind }) => kind },
    { head: 'ATTEMPTS', align: 'right', spare: 0, of: ({ attempts }) => attempts },
    { head: 'FAILED AT', spare: 1, of: ({ failedAt }, out) => out.time(failedAt) },
    { head: 'REQUEST', of: ({ reference, requestId }) => reference ?? requestId },
    { head: 'CUSTOMER', isWide: true, of: ({ name }) => name },
    { head: 'LAST ERROR', isWide: true, of: ({ error }) => error },
  ],
};

function listed({ job, reference, customer, name }: JobView) {
  const { id, kind, attempt: attempts, lastError: error, finishedAt: failedAt, requestId } = job;
  return { id, kind, attempts, error, failedAt, requestId, reference, customer, name };
}

async function list(shell: Shell, { limit, ...flags }: ListFlags): Promise<void> {
  const { listFailed } = await import('../../core/jobs/failed.js');
  return withData(shell, (data) => {
    const { total, rows } = listFailed(data, filterOf(flags, data), limit);
    return tellList(shell.out, FAILED, { rows: rows.map(listed), total });
  });
}

const ERRORS: readonly ListColumn<{ kind: string; error: string; count: number }>[] = [
  { head: 'COUNT', align: 'right', of: ({ count }) => count },
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'ERROR', isWide: true, of: ({ error }) => error },
];

/** Counts by kind and error of all that match the filter, most frequent first; at most `limit`. */
async function stats(shell: Shell, { limit, ...flags }: ListFlags): Promise<void> {
  const { failedStats } = await import('../../core/jobs/failed.js');
  return withData(shell, (data) => {
    const { out } = shell;
    const all = failedStats(data, filterOf(flags, data));
    const shown = all.slice(0, limit);
    out.result(shown, () => tellTable(out, ERRORS, shown));
    if (all.length > shown.length) {
      out.warn(`${shown.length} of ${all.length} errors shown; --limit shows more`);
    }
    const total = all.reduce((sum, { count }) => sum + count, 0);
    out.note(counted(total, FAILED.noun));
  });
}

async function show(shell: Shell, _: object, id: number): Promise<void> {
  const { pastErrors } = await import('../../core/jobs/past-errors.js');
  const { getFailedJob } = await import('../../core/jobs/failed.js');
  const { viewsOf } = await import('../../core/jobs/view.js');
  return withData(shell, (data) => {
    const { out } = shell;
    const row = getFailedJob(data, id);
    const [view] = viewsOf(data.db, [row]) as [JobView];
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

/** Ids that are not in the list are reported with exit code 1, or 4 when none is in it. */
async function remove(shell: Shell, _: object, ids: number[]): Promise<ExitCode> {
  const { findFailedJob, getFailedJob, removeFailed } = await import('../../core/jobs/failed.js');
  const { viewsOf } = await import('../../core/jobs/view.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun } = shell;
    const found = ids.flatMap((id) => findFailedJob(ctx, id) ?? []);
    const kinds = new Map(found.map(({ id, kind }) => [id, kind]));
    if (kinds.size === 0) ids.slice(0, 1).forEach((id) => getFailedJob(ctx, id));
    const facts = viewsOf(ctx.db, found).map(({ job, reference, name }) => {
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
  });
}

function named(kinds: ReadonlyMap<number, string>): string {
  const [first] = kinds;
  return kinds.size === 1 && first ? `failed job ${first.join(' ')}` : counted(kinds.size, 'failed job');
}
