/** Runs `esignctl contracts accept-late`. */
import { acceptLate } from '../../core/signature/accept-late.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { contractDocument } from './contract-view.js';
import { DRY_RUN_NOTE } from './words.js';

export function acceptLateCommand(
  shell: Shell,
  { id, reason, dryRun = false }: ChangeFlags & { id: number; reason: string },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const { contract, signedAt, lastMoment, isPayable } = await withProgress(
      shell,
      'asking the signature provider',
      () => acceptLate(ctx, id, { actor, reason, dryRun }),
    );
    const { requestId } = contract;
    const document = dryRun
      ? { dryRun, contractId: id, requestId, signedAt, lastMoment }
      : contractDocument(contract);
    out.result(document, () => {
      const did = dryRun ? 'would accept the late signature' : 'accepted the late signature';
      const when = signedAt === null ? '' : ` on ${out.time(signedAt)}`;
      out.line(`${did}: contract ${id} of request ${requestId}`);
      out.line(`signed${when}; the last moment to sign was ${out.time(lastMoment)}`);
    });
    if (dryRun) out.note(DRY_RUN_NOTE);
    else if (!isPayable)
      out.note('the payment page could not be created now; it will be retried automatically');
    return EXIT.done;
  });
}
