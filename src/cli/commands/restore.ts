/** Options of `esignctl restore` (decisions 10, 12). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, textOption } from '../options.js';
import type { Act } from '../program.js';

const ABOUT = `
Everything in the archive is verified before anything is touched: every file by its SHA-256, the database by SQLite. The
present data are kept in a directory whose name is printed; remove it when all is well. The daemon must be stopped.

--check needs no settings and no data directory.`;

export function registerRestore(program: Command, act: Act): void {
  const command = program
    .command('restore')
    .description('put a backup in the place of the present data, which are kept aside; asks first')
    .argument('<file>', 'an archive that `esignctl backup` has made', textOption)
    .option('--check', 'only verify the archive')
    .addHelpText('after', ABOUT);
  changing(command).action(
    act(async (shell, { check, ...flags }: ChangeFlags & { check?: boolean }, file: string) => {
      const { checkCommand, restoreCommand } = await import('../run/restore.js');
      return check ? checkCommand(shell, file) : restoreCommand(shell, { ...flags, file });
    }),
  );
  examples(
    command,
    'restore --check esign.tar.gz',
    'restore esign.tar.gz --dry-run',
    'restore esign.tar.gz --yes --reason "disk failure"',
  );
}
