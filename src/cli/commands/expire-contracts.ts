/** Options of `esignctl expire-contracts` (spec 3). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples } from '../options.js';
import type { Act } from '../program.js';

export function registerExpireContracts(program: Command, act: Act): void {
  const command = program
    .command('expire-contracts')
    .description('set every contract whose date has passed to EXPIRED; safe to run as often as one likes');
  changing(command).action(
    act(async (shell, flags: ChangeFlags) => {
      const { expire } = await import('../run/expire-contracts.js');
      return expire(shell, flags);
    }),
  );
  examples(command, 'expire-contracts', 'expire-contracts --dry-run', 'expire-contracts --json');
}
