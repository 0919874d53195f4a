/** Options of `esignctl reset-signature` (spec 3). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, REQUEST_ARGUMENT, requestArgument, type RequestArgument } from '../options.js';
import type { Act } from '../program.js';

export function registerResetSignature(program: Command, act: Act): void {
  const command = program
    .command('reset-signature')
    .description('close the contract of a request and send a new one; asks first')
    .argument('<request>', REQUEST_ARGUMENT, requestArgument);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, request: RequestArgument) => {
      const { reset } = await import('../run/reset-signature.js');
      return reset(shell, { ...flags, request });
    }),
  );
  examples(
    command,
    'reset-signature 123',
    'reset-signature REQ-2026-000123 --yes --reason "wrong address"',
    'reset-signature 123 --dry-run',
  );
}
