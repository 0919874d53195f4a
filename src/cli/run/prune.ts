/** Runs `esignctl prune`. */
import { prune, type Pruned } from '../../core/care/prune.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withSession } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

const WORDS: Record<keyof Pruned, string> = {
  jobs: 'completed job',
  inboxBodies: 'webhook content',
  deliveries: 'outbound webhook',
  refreshTokens: 'expired refresh token',
  sessions: 'expired session',
  idempotencyKeys: 'expired idempotency key',
  userCalls: 'old call count',
  runs: 'run record',
  files: 'half written file',
};

export function pruneCommand(shell: Shell, { dryRun = false, reason }: ChangeFlags): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    shell.interruption.say(() => 'a part was removed; the next run removes the rest');
    const pruned = await prune(ctx, { actor, reason, dryRun, signal: shell.signal });
    shell.interruption.say(() => '');
    const found = (Object.keys(WORDS) as (keyof Pruned)[]).filter((what) => pruned[what] > 0);
    shell.out.result({ ...pruned, ...(dryRun && { dryRun }) }, () => {
      for (const what of found)
        shell.out.line(`${dryRun ? 'would remove' : 'removed'} ${counted(pruned[what], WORDS[what])}`);
      if (found.length === 0) shell.out.line('nothing to remove');
    });
    if (dryRun) shell.out.note(DRY_RUN_NOTE);
    return EXIT.done;
  });
}
