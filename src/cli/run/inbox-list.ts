/** Runs `esignctl inbox list`. */
import { browseInbox, newestRejected } from '../../core/inbox.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { counted } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'RECEIVED' },
  { head: 'FROM' },
  { head: 'EVENT' },
  { head: 'STATE' },
  { head: 'OUTCOME' },
  { head: 'CONTRACT', align: 'right' },
  { head: 'ABOUT', isWide: true },
];

export function listCommand(
  shell: Shell,
  { subject = '', beforeId, limit }: { subject?: string; beforeId?: number; limit: number },
): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    // One more than is shown tells whether there are more.
    const found = browseInbox(data, { beforeId, subjectId: subject, limit: limit + 1 });
    const list = found.slice(0, limit);
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map(({ id, receivedAt, source, eventName, state, outcome, contractId, subjectId }) => [
          String(id),
          out.time(receivedAt),
          source,
          eventName,
          state,
          outcome ?? '',
          String(contractId ?? ''),
          subjectId,
        ]),
      ),
    );
    const last = list.at(-1);
    if (last && found.length > limit) {
      out.warn(`${counted(list.length, 'event')} shown, there are more: --before-id ${last.id} goes on`);
    } else out.note(counted(list.length, 'event'));
    return EXIT.done;
  });
}

const REJECTED_COLUMNS: readonly Column[] = [
  { head: 'AT' },
  { head: 'FOR' },
  { head: 'REASON' },
  { head: 'BYTES', align: 'right' },
  { head: 'ADDRESS' },
  { head: 'CLAIMS TO BE ABOUT', isWide: true },
];

/** What was turned away; of these only the newest thousand are kept. */
export function rejectedCommand(shell: Shell, { limit }: { limit: number }): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const list = newestRejected(data, limit).map(({ at, source, reason, size, address, claimedId }) => ({
      at,
      source,
      reason,
      size,
      address,
      claimedId,
    }));
    out.result(list, () =>
      out.table(
        REJECTED_COLUMNS,
        list.map(({ at, source, reason, size, address, claimedId }) => [
          out.time(at),
          source,
          reason,
          String(size),
          address,
          claimedId ?? '',
        ]),
      ),
    );
    out.note(counted(list.length, 'delivery', 'deliveries'));
    return EXIT.done;
  });
}
