/** Runs `esignctl failed replay`: each job gets one more try; the batch goes on over failures (spec 4.8). */
import {
  getFailedJob,
  listFailed,
  replayFailed,
  whyNotReplayable,
  type FailedFilter,
  type ReplayResult,
} from '../../core/jobs/failed.js';
import { withHint } from '../../core/errors.js';
import { confirm } from '../ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { bar, withProgress } from '../progress.js';
import { withSession, type Session } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

/** Either the ids, or a filter over all that has failed. */
export type Selection = { ids: number[] } | { filter: FailedFilter };

export function replayCommand(
  shell: Shell,
  flags: ChangeFlags & Selection & { perMinute?: number },
): Promise<ExitCode> {
  return withSession(shell, async (session) => {
    const ids = 'ids' in flags ? existing(session, flags.ids) : all(session, flags.filter);
    if (ids.length > 0 && 'filter' in flags && !flags.dryRun) {
      await confirm(shell, `Run ${counted(ids.length, 'failed job')} again?`, flags);
    }
    return flags.dryRun ? foretell(shell, session, ids) : replay(shell, session, ids, flags);
  });
}

/**
 * One that does not exist fails like any other of a batch; when none exists that is the answer. So is the refusal of one
 * that is named alone.
 */
function existing({ ctx }: Session, ids: number[]): number[] {
  const [first, ...others] = ids as [number, ...number[]];
  if (others.length === 0) {
    const refusal = whyNotReplayable(ctx, getFailedJob(ctx, first));
    if (refusal) throw refusal;
  } else if (!ids.some((id) => isFailed(ctx, id))) getFailedJob(ctx, first);
  return ids;
}

function isFailed(ctx: Session['ctx'], id: number): boolean {
  try {
    getFailedJob(ctx, id);
    return true;
  } catch {
    return false;
  }
}

/** The oldest first, as they would have run. */
function all({ ctx }: Session, filter: FailedFilter): number[] {
  const { total } = listFailed(ctx, filter, 1);
  return listFailed(ctx, filter, total)
    .jobs.map(({ id }) => id)
    .toReversed();
}

function foretell(shell: Shell, { ctx }: Session, ids: number[]): ExitCode {
  const jobs = ids.filter((id) => isFailed(ctx, id)).map((id) => getFailedJob(ctx, id));
  const results = jobs.map((job) => {
    const { id, kind, state, lastError } = job;
    const refusal = whyNotReplayable(ctx, job);
    return {
      id,
      kind,
      state,
      error: refusal ? withHint(refusal) : lastError,
      isRefused: refusal !== undefined,
    };
  });
  const refused = results.filter(({ isRefused }) => isRefused).length;
  const shown = results.map(({ id, kind, state, error }) => ({ id, kind, state, error }));
  shell.out.result({ replayed: 0, failed: refused, results: shown, dryRun: true }, () => {
    for (const { id, kind, error, isRefused } of results) {
      shell.out.line(`${isRefused ? 'would not replay' : 'would replay'} ${id} ${kind}: ${error}`);
    }
    shell.out.line(`would replay ${counted(results.length - refused, 'job')}`);
  });
  shell.out.note(DRY_RUN_NOTE);
  return refused > 0 ? EXIT.failed : EXIT.done;
}

async function replay(
  shell: Shell,
  { ctx, actor }: Session,
  ids: number[],
  { reason, perMinute }: { reason?: string; perMinute?: number },
): Promise<ExitCode> {
  const { out, signal, interruption } = shell;
  interruption.say(() => notBegun(ids.length));
  const { replayed, failed, results } = await withProgress(shell, 'replaying', (progress) => {
    let done = 0;
    const onResult = (result: ReplayResult) => {
      done += 1;
      interruption.say(
        () => `${done} of ${counted(ids.length, 'job')} tried, ${notBegun(ids.length - done)}`,
      );
      progress.around(() => out.line(lineOf(result)));
      progress.update(bar(done, ids.length));
    };
    return replayFailed(ctx, ids, {
      actor,
      signal,
      onResult,
      ...(reason && { reason }),
      ...(perMinute && { perMinute }),
    });
  });
  const shown = results.map(({ id, kind, state, error }) => ({ id, kind, state, error }));
  out.result({ replayed, failed, results: shown }, () => {
    if (ids.length !== 1) out.line(`replayed ${replayed}, failed ${failed}`);
  });
  return failed > 0 ? EXIT.failed : EXIT.done;
}

function notBegun(count: number): string {
  return `${counted(count, 'job')} not started and still in the list`;
}

export function lineOf({ id, kind, state, error }: ReplayResult): string {
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
