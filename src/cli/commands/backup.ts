/** Options of `esignctl backup` (decisions 10). */
import type { Command } from 'commander';
import { examples, textOption } from '../options.js';
import type { Act } from '../program.js';

const ABOUT = `
The archive holds the database, all contract PDFs and keys/: whoever can read it knows the customers' data and can forge
access tokens. It is made with mode 0600; keep it as safe as the service itself. The settings are not in it.

The daemon may go on working. The archive is read back and checked before it gets its name.`;

export function registerBackup(program: Command, act: Act): void {
  const command = program
    .command('backup')
    .description('put the database, the PDFs and the keys into one archive, while the daemon runs')
    .argument('<file>', 'the archive to write, such as esign.tar.gz', textOption)
    .option('--force', 'replace a file of that name')
    .addHelpText('after', ABOUT)
    .action(
      act(async (shell, flags: { force?: boolean }, file: string) => {
        const { backupCommand } = await import('../run/backup.js');
        return backupCommand(shell, { ...flags, file });
      }),
    );
  examples(command, 'backup /var/backups/esign-2026-03-02.tar.gz', 'backup esign.tar.gz --force --json');
}
