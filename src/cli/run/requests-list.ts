/** Runs `esignctl requests list`. */
import { searchRequests, type RequestSearch } from '../../core/requests/operator-requests.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withData } from '../reading.js';
import type { Column } from '../table.js';
import { counted, tellCount } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'REFERENCE' },
  { head: 'STATUS' },
  { head: 'ENTERED' },
  { head: 'CUSTOMER' },
  { head: 'TITLE', isWide: true },
];

export function listCommand(shell: Shell, search: RequestSearch, limit: number): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const { total, rows } = searchRequests(data, search, limit);
    const list = rows.map(({ request: { id, reference, status, title, createdAt }, customer }) => ({
      id,
      reference,
      status,
      title,
      customer: customer.username,
      createdAt,
    }));
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map(({ id, reference, status, createdAt, customer, title }) => [
          String(id),
          reference,
          status,
          out.time(createdAt),
          customer,
          title,
        ]),
      ),
    );
    tellCount(out, { shown: list.length, total, all: counted(total, 'request') });
    return EXIT.done;
  });
}
