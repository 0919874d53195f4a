/** Options of `esignctl start-signature` (spec 2, 4.10). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, REQUEST_ARGUMENT, requestArgument, type RequestArgument } from '../options.js';
import type { Act } from '../program.js';

type Flags = ChangeFlags & { pdf?: string };

export function registerStartSignature(program: Command, act: Act): void {
  const command = program
    .command('start-signature')
    .description('make the contract of a request and send it to the customer for signature')
    .argument('<request>', REQUEST_ARGUMENT, requestArgument)
    .option('--pdf <file>', 'send this PDF instead of the generated contract');
  changing(command).action(
    act(async (shell, flags: Flags, request: RequestArgument) => {
      const { start } = await import('../run/start-signature.js');
      return start(shell, { ...flags, request });
    }),
  );
  examples(
    command,
    'start-signature 123',
    'start-signature REQ-2026-000123 --pdf contract.pdf --reason "own terms"',
  );
}
