/** Runs `esignctl requests complete`. */
import { completeRequest } from '../../core/requests/complete-request.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withSession } from '../session.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { DRY_RUN_NOTE } from './words.js';

export function completeCommand(
  shell: Shell,
  { request, reason, dryRun = false }: ChangeFlags & { request: RequestArgument; reason: string },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const { id, status: before } = findRequest(ctx, request);
    sayStanding(shell, ctx, id);
    const { reference, status } = await completeRequest(ctx, id, { actor, reason, dryRun });
    out.result({ id, reference, status, ...(dryRun && { dryRun }) }, () => {
      if (before === 'COMPLETE') out.line(`request ${id} is already complete`);
      else out.line(`${dryRun ? 'would complete' : 'completed'} request ${id} ${reference}`);
    });
    if (dryRun) out.note(DRY_RUN_NOTE);
    return EXIT.done;
  });
}
