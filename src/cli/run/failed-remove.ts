/** Runs `esignctl failed remove`. */
import { getFailedJob, removeFailed } from '../../core/jobs/failed.js';
import type { Context } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { confirm } from '../ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withSession } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

/** Ids that are not in the list are told and make the exit code 1; when none is, it is 4. */
export function removeCommand(
  shell: Shell,
  { ids, dryRun, reason, ...answer }: ChangeFlags & { ids: number[] },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const kinds = kindsOf(ctx, ids);
    if (kinds.size === 0) getFailedJob(ctx, ids[0] as number);
    if (!dryRun) await confirm(shell, `Remove ${named(kinds)} for good?`, answer);
    const { removed, missing } = dryRun
      ? { removed: [...kinds.keys()], missing: ids.filter((id) => !kinds.has(id)) }
      : await removeFailed(ctx, ids, { actor, ...(reason && { reason }) });
    out.result({ removed, missing, ...(dryRun && { dryRun }) }, () => {
      for (const id of removed)
        out.line(`${dryRun ? 'would remove' : 'removed'} ${id} ${kinds.get(id) ?? ''}`);
    });
    for (const id of missing) out.note(`There is no failed job ${id}.`);
    if (dryRun) out.note(DRY_RUN_NOTE);
    return missing.length > 0 ? EXIT.failed : EXIT.done;
  });
}

function kindsOf(ctx: Context, ids: number[]): Map<number, string> {
  const kinds = new Map<number, string>();
  for (const id of ids) {
    try {
      kinds.set(id, getFailedJob(ctx, id).kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return kinds;
}

function named(kinds: Map<number, string>): string {
  const [first] = kinds;
  return kinds.size === 1 && first ? `failed job ${first.join(' ')}` : counted(kinds.size, 'failed job');
}
