/** Options of `esignctl prune`. */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples } from '../options.js';
import type { Act } from '../program.js';

const ABOUT = `
Goes: jobs that were done and deliveries that ended 30 days ago, bodies of webhooks answered 90 days ago, refresh tokens
and keys whose time is over. Contracts, PDFs, history and the failed list stay. The daemon does the same by night.`;

export function registerPrune(program: Command, act: Act): void {
  const command = program
    .command('prune')
    .description('remove what has served its time, and tidy the database; safe to run while the daemon works')
    .addHelpText('after', ABOUT);
  changing(command).action(
    act(async (shell, flags: ChangeFlags) => {
      const { pruneCommand } = await import('../run/prune.js');
      return pruneCommand(shell, flags);
    }),
  );
  examples(command, 'prune --dry-run', 'prune', 'prune --json');
}
