/** Runs `esignctl webhooks enable` and `webhooks disable`. */
import { switchWebhook } from '../../core/webhooks/change-webhook.js';
import { getWebhook } from '../../core/webhooks/browse-webhooks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withSession } from '../session.js';
import { webhookDocument } from './webhook-view.js';
import { DRY_RUN_NOTE } from './words.js';

export function switchCommand(
  shell: Shell,
  { id, isActive, dryRun = false, reason }: ChangeFlags & { id: number; isActive: boolean },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const before = getWebhook(ctx, id);
    const isNew = (before.active === 1) !== isActive;
    const webhook = dryRun ? before : await switchWebhook(ctx, id, isActive, { actor, reason });
    const word = isActive ? 'enabled' : 'disabled';
    out.result({ ...webhookDocument(webhook), ...(dryRun && { dryRun }) }, () => {
      if (!isNew) out.line(`webhook ${id} is ${word} already`);
      else out.line(`${dryRun ? `would have ${word}` : word} webhook ${id} ${webhook.url}`);
    });
    if (dryRun) out.note(DRY_RUN_NOTE);
    else if (isNew && isActive) out.note(`what never arrived: esignctl webhooks deliveries ${id} --failed`);
    return EXIT.done;
  });
}
