/** Options of `esignctl status` (decisions 10, 12). */
import type { Command } from 'commander';
import { examples } from '../options.js';
import type { Act } from '../program.js';

export function registerStatus(program: Command, act: Act): void {
  const command = program
    .command('status')
    .description(
      'how many requests, contracts and jobs are in which state, what waits longest, what ran last',
    )
    .option('--watch', 'refresh every two seconds until Ctrl-C; only on a terminal')
    .action(
      act(async (shell, flags: { watch?: boolean }) => {
        const { statusCommand } = await import('../run/status.js');
        return statusCommand(shell, flags);
      }),
    );
  examples(command, 'status', 'status --watch', 'status --json');
}
