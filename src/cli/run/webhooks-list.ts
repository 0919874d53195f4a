/** Runs `esignctl webhooks list`. */
import { browseWebhooks } from '../../core/webhooks/browse-webhooks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { stateOf, webhookDocument } from './webhook-view.js';
import { counted } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'EVENT' },
  { head: 'STATE' },
  { head: 'FAILED', align: 'right' },
  { head: 'OWNER' },
  { head: 'ADDRESS', isWide: true },
];

export function listCommand(shell: Shell, { after = 0, limit }: { after?: number; limit: number }): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    // One more than is shown tells whether there are more.
    const found = browseWebhooks(data, { afterId: after, limit: limit + 1 });
    const list = found
      .slice(0, limit)
      .map(({ owner, ...webhook }) => ({ ...webhookDocument(webhook), owner }));
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map((webhook) => [
          String(webhook.id),
          webhook.event,
          stateOf(webhook),
          String(webhook.failures),
          webhook.owner,
          webhook.url,
        ]),
      ),
    );
    const last = list.at(-1);
    const shown = counted(list.length, 'webhook');
    if (last && found.length > limit) {
      out.warn(`${shown} shown, there are more: --after ${last.id} goes on, --limit shows more`);
    } else out.note(shown);
    return EXIT.done;
  });
}
