/** Runs `esignctl jobs push`: each job is tried now; the batch goes on over failures. */
import { getWaitingJob, pushJobs, type PushResult } from '../../core/jobs/waiting.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession, type Session } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export function pushCommand(
  shell: Shell,
  { ids, dryRun = false, reason }: ChangeFlags & { ids: number[] },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out, signal } = shell;
    // One alone that cannot be pushed is the answer; among others it fails alone.
    if (ids.length === 1 || dryRun) for (const id of ids) getWaitingJob(ctx, id);
    if (dryRun) return foretell(shell, ctx, ids);
    const results = await withProgress(shell, 'trying', (progress) => {
      let done = 0;
      shell.interruption.say(
        () => `${done} of ${counted(ids.length, 'job')} tried; the others wait as before`,
      );
      const onResult = (result: PushResult) => {
        done += 1;
        progress.around(() => out.line(lineOf(result, (at) => out.time(at))));
      };
      return pushJobs(ctx, ids, { actor, reason, signal, onResult });
    });
    const failed = results.filter(({ state }) => state !== 'completed').length;
    out.result({ pushed: results.length - failed, failed, results }, () => undefined);
    return failed > 0 ? EXIT.failed : EXIT.done;
  });
}

function foretell({ out }: Shell, ctx: Session['ctx'], ids: number[]): ExitCode {
  const jobs = ids.map((id) => getWaitingJob(ctx, id));
  const results = jobs.map(({ id, kind, state, runAt }) => ({ id, kind, state, error: null, runAt }));
  out.result({ pushed: 0, failed: 0, results, dryRun: true }, () => {
    for (const { id, kind } of jobs) out.line(`would try ${id} ${kind}`);
  });
  out.note(DRY_RUN_NOTE);
  return EXIT.done;
}

function lineOf({ id, kind, state, error, runAt }: PushResult, time: (at: string) => string): string {
  switch (state) {
    case 'completed':
      return `done ${id} ${kind}`;
    case 'available':
      return `failed ${id} ${kind}: ${error}; next try ${runAt === null ? '' : time(runAt)}`;
    case 'failed':
      return `failed for good ${id} ${kind}: ${error}`;
    case 'running':
      return `not finished ${id} ${kind}: somebody still has it`;
    case null:
      return `failed ${id}: ${error}`;
  }
}
