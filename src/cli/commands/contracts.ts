/** Options of `esignctl contracts …`. */
import { Option, type Command } from 'commander';
import type { ContractSearch } from '../../core/contracts/operator-contracts.js';
import { examples, idArgument, limitOption, requestArgument, type RequestArgument } from '../options.js';
import type { Act } from '../program.js';

type Status = NonNullable<ContractSearch['statuses']>[number];

export function registerContracts(program: Command, act: Act): void {
  const contracts = program.command('contracts').description('contracts: list, show with a link that works');
  registerList(contracts, act);
  registerShow(contracts, act);
  examples(contracts, 'contracts list --status PENDING', 'contracts show 45');
}

function registerList(contracts: Command, act: Act): void {
  const command = contracts
    .command('list')
    .description('contracts, the newest first')
    .addOption(
      new Option('--status <status>', 'only those in this status').choices(['PENDING', 'SIGNED', 'EXPIRED']),
    )
    .option('--request <request>', 'only those of this request', requestArgument)
    .option('--limit <count>', 'at most so many contracts', limitOption, 50)
    .action(
      act(async (shell, flags: { status?: Status; request?: RequestArgument; limit: number }) => {
        const { listCommand } = await import('../run/contracts-list.js');
        return listCommand(shell, flags);
      }),
    );
  examples(command, 'contracts list --status PENDING', 'contracts list --request 123 --json');
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
