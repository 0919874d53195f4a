/** Options of `esignctl contracts …`. */
import { InvalidArgumentError, type Command } from 'commander';
import type { ContractSearch } from '../../core/contracts/operator-contracts.js';
import { CONTRACT_STATUSES, statusOf } from '../../core/lifecycle.js';
import type { ChangeFlags } from '../io.js';
import {
  changing,
  examples,
  idArgument,
  limitOption,
  requestArgument,
  type RequestArgument,
} from '../options.js';
import type { Act } from '../program.js';
import { UsageError } from '../usage-error.js';

type Statuses = NonNullable<ContractSearch['statuses']>;

export function registerContracts(program: Command, act: Act): void {
  const contracts = program
    .command('contracts')
    .description('contracts: list, show with a link that works, accept a late signature');
  registerList(contracts, act);
  registerShow(contracts, act);
  registerFetchPdf(contracts, act);
  registerAcceptLate(contracts, act);
  examples(contracts, 'contracts list --status PENDING', 'contracts show 45');
}

function registerList(contracts: Command, act: Act): void {
  const command = contracts
    .command('list')
    .description('contracts, the newest first')
    .option('--status <status>', `one or several, with commas: ${CONTRACT_STATUSES.join(', ')}`, statusList)
    .option('--request <request>', 'only those of this request', requestArgument)
    .option('--limit <count>', 'at most so many contracts', limitOption, 50)
    .action(
      act(async (shell, flags: { status?: Statuses; request?: RequestArgument; limit: number }) => {
        const { listCommand } = await import('../run/contracts-list.js');
        return listCommand(shell, flags);
      }),
    );
  examples(command, 'contracts list --status PENDING', 'contracts list --request 123 --json');
}

function statusList(text: string): Statuses {
  return text.split(',').map((word) => {
    const status = statusOf(CONTRACT_STATUSES, word.trim());
    if (!status) throw new InvalidArgumentError(`Give one of ${CONTRACT_STATUSES.join(', ')}.`);
    return status;
  });
}

function registerShow(contracts: Command, act: Act): void {
  const command = contracts
    .command('show')
    .description('one contract; a link to sign that is over is renewed at the provider')
    .argument('<id>', 'number of the contract', idArgument)
    .action(
      act(async (shell, _: object, id: number) => {
        const { showCommand } = await import('../run/contracts-show.js');
        return showCommand(shell, id);
      }),
    );
  examples(command, 'contracts show 45', 'contracts show 45 --json');
}

function registerFetchPdf(contracts: Command, act: Act): void {
  const command = contracts
    .command('fetch-pdf')
    .description('fetch the signed PDF of a contract again when it is missing here, or damaged')
    .argument('<id>', 'number of the contract', idArgument);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, id: number) => {
      const { fetchPdfCommand } = await import('../run/contracts-fetch-pdf.js');
      return fetchPdfCommand(shell, { ...flags, id });
    }),
  );
  examples(command, 'contracts fetch-pdf 45', 'contracts fetch-pdf 45 --dry-run');
}

function registerAcceptLate(contracts: Command, act: Act): void {
  const command = contracts
    .command('accept-late')
    .description(
      'accept a signature that came after the last moment to sign: the contract counts as signed, and the customer can pay',
    )
    .argument('<id>', 'number of the contract', idArgument);
  changing(command, 'why; required, kept in the history').action(
    act(async (shell, { reason, ...flags }: ChangeFlags, id: number) => {
      if (!reason) {
        throw new UsageError('Why? A late signature is accepted only with --reason.', 'Add --reason "…".');
      }
      const { acceptLateCommand } = await import('../run/contracts-accept-late.js');
      return acceptLateCommand(shell, { ...flags, reason, id });
    }),
  );
  examples(
    command,
    'contracts accept-late 45 --reason "agreed by phone"',
    'contracts accept-late 45 --reason "agreed by phone" --dry-run',
  );
}
