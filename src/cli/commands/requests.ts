/** Options of `esignctl requests …` (decisions 10). */
import { InvalidArgumentError, type Command } from 'commander';
import { REQUEST_STATUSES, statusOf } from '../../core/lifecycle.js';
import type { RequestSearch } from '../../core/requests/operator-requests.js';
import type { ChangeFlags } from '../io.js';
import {
  changing,
  examples,
  limitOption,
  REQUEST_ARGUMENT,
  requestArgument,
  textOption,
  type RequestArgument,
} from '../options.js';
import type { Act } from '../program.js';
import { timeOption } from '../times.js';
import { UsageError } from '../usage-error.js';

type ListFlags = Omit<RequestSearch, 'statuses'> & { status?: RequestSearch['statuses']; limit: number };

export function registerRequests(program: Command, act: Act): void {
  const requests = program
    .command('requests')
    .description('maintenance requests: list, show, complete by hand');
  registerList(requests, act);
  registerShow(requests, act);
  registerComplete(requests, act);
  examples(requests, 'requests list --status WAITING_SIGNATURE', 'requests show 123');
}

function registerList(requests: Command, act: Act): void {
  const command = requests
    .command('list')
    .description('requests, the newest first')
    .option('--status <status>', `one or several, with commas: ${REQUEST_STATUSES.join(', ')}`, statusList)
    .option('--customer <email>', 'only those of this customer', textOption)
    .option('--after <time>', 'entered at or after this time (UTC unless it names an offset)', timeOption)
    .option('--before <time>', 'entered before this time', timeOption)
    .option('--limit <count>', 'at most so many requests', limitOption, 50)
    .action(
      act(async (shell, { limit, status, ...search }: ListFlags) => {
        const { listCommand } = await import('../run/requests-list.js');
        return listCommand(shell, { ...search, statuses: status }, limit);
      }),
    );
  examples(
    command,
    'requests list --status WAITING_SIGNATURE,WAITING_PAYMENT',
    'requests list --customer anna@example.org --json',
  );
}

function statusList(text: string): RequestSearch['statuses'] {
  return text.split(',').map((word) => {
    const status = statusOf(REQUEST_STATUSES, word.trim());
    if (!status) throw new InvalidArgumentError(`Give one of ${REQUEST_STATUSES.join(', ')}.`);
    return status;
  });
}

function registerShow(requests: Command, act: Act): void {
  const command = requests
    .command('show')
    .description('one request with its contracts and payments; `explain` tells what happened to it')
    .argument('<request>', REQUEST_ARGUMENT, requestArgument)
    .action(
      act(async (shell, _: object, request: RequestArgument) => {
        const { showCommand } = await import('../run/requests-show.js');
        return showCommand(shell, request);
      }),
    );
  examples(command, 'requests show 123', 'requests show REQ-2026-000123 --json');
}

function registerComplete(requests: Command, act: Act): void {
  const command = requests
    .command('complete')
    .description(
      'complete a request that is paid although no payment webhook said so; closes its payment link',
    )
    .argument('<request>', REQUEST_ARGUMENT, requestArgument);
  changing(command, 'why; required, kept in the history').action(
    act(async (shell, { reason, ...flags }: ChangeFlags, request: RequestArgument) => {
      if (!reason) {
        throw new UsageError('Why? A request is completed by hand only with --reason.', 'Add --reason "…".');
      }
      const { completeCommand } = await import('../run/requests-complete.js');
      return completeCommand(shell, { ...flags, reason, request });
    }),
  );
  examples(
    command,
    'requests complete 123 --reason "paid by bank transfer"',
    'requests complete 123 --reason "paid in cash" --dry-run',
  );
}
