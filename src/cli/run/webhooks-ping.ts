/** Runs `esignctl webhooks ping`. */
import { pingAndWait } from '../../core/webhooks/operator-webhooks.js';
import { getWebhook } from '../../core/webhooks/browse-webhooks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { wholeDelivery } from './webhook-view.js';
import { DRY_RUN_NOTE } from './words.js';

export function pingCommand(
  shell: Shell,
  { id, dryRun = false, reason }: ChangeFlags & { id: number },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out, signal } = shell;
    const { url } = getWebhook(ctx, id);
    if (dryRun) {
      out.result({ webhookId: id, url, dryRun }, () => out.line(`would ping webhook ${id} at ${url}`));
      out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    shell.interruption.say(() => 'the ping may have been sent; its answer was not waited for');
    const view = await withProgress(shell, 'waiting for the answer', () =>
      pingAndWait(ctx, id, { actor, reason, signal }),
    );
    shell.interruption.say(() => '');
    const { state } = view.delivery;
    const { outcome, status, ms } = view.attempts.at(-1) ?? { outcome: 'not tried yet', status: null, ms: 0 };
    out.result(wholeDelivery(view), () => {
      if (state === 'delivered') out.line(`webhook ${id} answered ${status} after ${ms} ms: ${url}`);
      else out.line(`webhook ${id} did not take the ping: ${outcome}: ${url}`);
    });
    return state === 'delivered' ? EXIT.done : EXIT.failed;
  });
}
