/** Runs `esignctl webhooks deliveries`. */
import { browseDeliveries, viewsOf } from '../../core/webhooks/browse-deliveries.js';
import type { DeliveriesFlags } from '../commands/webhooks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { deliveryDocument } from './webhook-view.js';
import { counted } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'HOOK', align: 'right' },
  { head: 'CREATED' },
  { head: 'EVENT', isWide: true },
  { head: 'STATE' },
  { head: 'TRIES', align: 'right' },
  { head: 'OUTCOME', isWide: true },
];

export function deliveriesCommand(
  shell: Shell,
  { failed, beforeId, limit, webhookId }: DeliveriesFlags & { webhookId: number | undefined },
): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    // One more than is shown tells whether there are more.
    const found = browseDeliveries(data, { beforeId, webhookId, onlyFailed: failed, limit: limit + 1 });
    const list = viewsOf(data.db, found.slice(0, limit)).map(deliveryDocument);
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map((delivery) => [
          String(delivery.id),
          String(delivery.webhookId),
          out.time(delivery.createdAt),
          delivery.event,
          delivery.state,
          String(delivery.attempts),
          delivery.lastOutcome ?? '',
        ]),
      ),
    );
    const last = list.at(-1);
    const shown = counted(list.length, 'delivery', 'deliveries');
    if (last && found.length > limit) {
      out.warn(`${shown} shown, there are more: --before-id ${last.id} goes on, --limit shows more`);
    } else out.note(shown);
    return EXIT.done;
  });
}
