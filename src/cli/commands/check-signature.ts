/** Options of `esignctl check-signature` (spec 4.9). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, REQUEST_ARGUMENT, requestArgument, type RequestArgument } from '../options.js';
import type { Act } from '../program.js';
import { UsageError } from '../usage-error.js';

type Flags = ChangeFlags & { all?: boolean };

export function registerCheckSignature(program: Command, act: Act): void {
  const command = program
    .command('check-signature')
    .description('ask the signature provider what became of a signature, and bring our records into line')
    .argument('[request]', REQUEST_ARGUMENT, requestArgument)
    .option('--all', 'check every request that waits for a signature');
  changing(command).action(
    act(async (shell, flags: Flags, request?: RequestArgument) => {
      if (flags.all && request) throw new UsageError('Give a request or --all, not both.');
      if (flags.all) {
        const { checkAll } = await import('../run/check-all.js');
        return checkAll(shell, flags);
      }
      if (!request)
        throw new UsageError('Which request? None was given.', 'Name one, or check every one with --all.');
      const { checkOne } = await import('../run/check-one.js');
      return checkOne(shell, { ...flags, request });
    }),
  );
  examples(
    command,
    'check-signature 123',
    'check-signature REQ-2026-000123 --json',
    'check-signature --all --dry-run',
  );
}
