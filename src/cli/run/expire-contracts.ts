/** Runs `esignctl expire-contracts`. */
import { expireContracts } from '../../core/contracts/expire-contracts.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withSession } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export function expire(shell: Shell, { dryRun = false, reason }: ChangeFlags): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { expired, contracts } = await expireContracts(ctx, {
      actor,
      dryRun,
      reason,
      signal: shell.signal,
    });
    const { interruption } = shell;
    if (!dryRun)
      interruption.say(() => `${counted(expired, 'contract')} expired; the next run expires what is left`);
    const document = {
      expired,
      // The rows tell what the contracts were before.
      contracts: contracts.map(({ id, requestId, status, expiredAt }) => ({
        id,
        requestId,
        previousStatus: status,
        status: dryRun ? status : 'EXPIRED',
        expiredAt,
      })),
      ...(dryRun && { dryRun }),
    };
    const verb = dryRun ? 'would expire' : 'expired';
    shell.out.result(document, () => {
      for (const { id, requestId, status, expiredAt } of contracts) {
        const date = shell.out.time(expiredAt);
        shell.out.line(`${verb} contract ${id} of request ${requestId}: ${status}, its date was ${date}`);
      }
      shell.out.line(`${verb} ${counted(expired, 'contract')}`);
    });
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    return EXIT.done;
  });
}
