/** Options of `esignctl explain` (decisions 10, 12). */
import type { Command } from 'commander';
import { examples, textOption } from '../options.js';
import type { Act } from '../program.js';

export function registerExplain(program: Command, act: Act): void {
  const command = program
    .command('explain')
    .description('tell the whole story of a request, what is wrong with it, and the exact next command')
    .argument(
      '<key>',
      'number or reference of the request, contract:<id>, signId, paymentId, or the customer’s e-mail address',
      textOption,
    )
    .option('--offline', 'do not ask the signature and the payment provider')
    .action(
      act(async (shell, flags: { offline?: boolean }, key: string) => {
        const { explainCommand } = await import('../run/explain.js');
        return explainCommand(shell, { ...flags, key });
      }),
    );
  examples(
    command,
    'explain 123',
    'explain REQ-2026-000123 --json',
    'explain contract:45 --offline',
    'explain anna@example.org',
  );
}
