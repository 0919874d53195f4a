/** Runs `esignctl reset-signature`. */
import { resetSignature } from '../../core/signature/reset-signature.js';
import { confirm } from '../ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { contractDocument, contractLines } from './contract-view.js';
import { findRequest } from './requests.js';
import { sayStanding } from './standing.js';
import { DRY_RUN_NOTE } from './words.js';

export function reset(
  shell: Shell,
  { request, dryRun = false, reason, ...answer }: ChangeFlags & { request: RequestArgument },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { id, reference } = findRequest(ctx, request);
    if (!dryRun) await confirm(shell, `Close the contract of ${reference} and send a new one?`, answer);
    sayStanding(shell, ctx, id);
    const contract = await withProgress(shell, `asking about ${reference}`, () =>
      resetSignature(ctx, id, { actor, dryRun, ...(reason && { reason }) }),
    );
    if (!contract) {
      shell.out.result({ dryRun, requestId: id, reference }, () =>
        shell.out.line(`would close the contract of ${reference} and send a new one`),
      );
      shell.out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    shell.out.result(contractDocument(contract), () => {
      const lines = contractLines(`reset the signature of ${reference}`, contract, (iso) =>
        shell.out.time(iso),
      );
      for (const line of lines) shell.out.line(line);
    });
    return EXIT.done;
  });
}
