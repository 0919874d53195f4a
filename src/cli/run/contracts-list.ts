/** Runs `esignctl contracts list`. */
import { searchContracts, type ContractSearch } from '../../core/contracts/operator-contracts.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { RequestArgument } from '../options.js';
import { withData } from '../reading.js';
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

export function listCommand(shell: Shell, { status, request, limit }: Flags): ExitCode {
  return withData(shell, (data) => {
    const { out } = shell;
    const requestId = request && findRequest(data, request).id;
    const search = { statuses: status, requestId };
    const { total, rows } = searchContracts(data, search, limit);
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
