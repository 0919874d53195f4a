/** Runs `esignctl contracts list`. */
import { searchContracts, type ContractSearch } from '../../core/contracts/operator-contracts.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withSession } from '../session.js';
import type { Column } from '../table.js';
import { contractDocument } from './contract-view.js';
import { findRequest } from './requests.js';
import { counted, tellCount } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'REQUEST', align: 'right' },
  { head: 'STATUS' },
  { head: 'MADE' },
  { head: 'ENDS' },
  { head: 'SIGNED' },
  { head: 'SIGNID', isWide: true },
];

interface Flags {
  status?: ContractSearch['statuses'];
  request?: RequestArgument;
  limit: number;
}

export function listCommand(shell: Shell, { status, request, limit }: Flags): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const { out } = shell;
    const requestId = request && findRequest(ctx, request).id;
    const search = { statuses: status, requestId };
    const { total, rows } = searchContracts(ctx, search, limit);
    const list = rows.map(contractDocument);
    out.result(list, () =>
      out.table(
        COLUMNS,
        list.map((contract) => [
          String(contract.id),
          String(contract.requestId),
          contract.status,
          out.time(contract.createdAt),
          out.time(contract.expiredAt),
          out.time(contract.signedAt),
          contract.signId ?? '',
        ]),
      ),
    );
    tellCount(out, { shown: list.length, total, all: counted(total, 'contract') });
    return EXIT.done;
  });
}
