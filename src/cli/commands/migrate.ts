/** Options of `esignctl migrate`. */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples } from '../options.js';
import type { Act } from '../program.js';

export function registerMigrate(program: Command, act: Act): void {
  const command = program
    .command('migrate')
    .description('bring the database to the schema of this version (the daemon does so when it starts)');
  changing(command).action(
    act(async (shell, flags: ChangeFlags) => {
      const { migrateCommand } = await import('../run/migrate.js');
      return migrateCommand(shell, flags);
    }),
  );
  examples(command, 'migrate --dry-run', 'migrate');
}
