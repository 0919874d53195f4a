/** Options of `esignctl payments …`: what became of a payment, and a new link in place of one that is over (decisions 2, 5). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, REQUEST_ARGUMENT, requestArgument, type RequestArgument } from '../options.js';
import type { Act } from '../program.js';
import { UsageError } from '../usage-error.js';

type CheckFlags = ChangeFlags & { all?: boolean };
type RenewFlags = ChangeFlags & { despitePending?: boolean };

export function registerPayments(program: Command, act: Act): void {
  const payments = program
    .command('payments')
    .description('the payment of a request: ask what became of it, or renew its link');
  registerCheck(payments, act);
  registerRenew(payments, act);
  examples(payments, 'payments check 123', 'payments renew 123');
}

function registerCheck(payments: Command, act: Act): void {
  const command = payments
    .command('check')
    .description('ask the payment provider what became of a payment, and bring our records into line')
    .argument('[request]', REQUEST_ARGUMENT, requestArgument)
    .option('--all', 'check every payment link that is open as far as we know');
  changing(command).action(
    act(async (shell, flags: CheckFlags, request?: RequestArgument) => {
      if (flags.all && request) throw new UsageError('Give a request or --all, not both.');
      const run = await import('../run/payments-check.js');
      if (flags.all) return run.checkAllCommand(shell, flags);
      if (!request) {
        throw new UsageError('Which request? None was given.', 'Name one, or check every one with --all.');
      }
      return run.checkOneCommand(shell, { ...flags, request });
    }),
  );
  examples(command, 'payments check 123', 'payments check --all --dry-run', 'payments check 123 --json');
}

function registerRenew(payments: Command, act: Act): void {
  const command = payments
    .command('renew')
    .description('make a new payment link in place of one that is over, and mail it to the customer')
    .argument('<request>', REQUEST_ARGUMENT, requestArgument)
    .option(
      '--despite-pending',
      'even while the customer’s money is on its way, at the risk of a double payment; needs --reason',
    );
  changing(command).action(
    act(async (shell, flags: RenewFlags, request: RequestArgument) => {
      if (flags.despitePending && !flags.reason) {
        throw new UsageError('--despite-pending needs --reason.', 'Say why the first payment will not come.');
      }
      const { renewCommand } = await import('../run/payments-renew.js');
      return renewCommand(shell, { ...flags, request });
    }),
  );
  examples(
    command,
    'payments renew 123',
    'payments renew REQ-2026-000123 --reason "customer was on holiday"',
    'payments renew 123 --despite-pending --reason "the bank refused the debit"',
    'payments renew 123 --dry-run',
  );
}
