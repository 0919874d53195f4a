/** Options of `esignctl doctor` (decisions 10, 12). */
import type { Command } from 'commander';
import { examples } from '../options.js';
import type { Act } from '../program.js';

export function registerDoctor(program: Command, act: Act): void {
  const command = program
    .command('doctor')
    .description(
      'examine settings, data directory, database, providers, mail server, daemon; says what mends what fails',
    )
    .action(
      act(async (shell) => {
        const { doctorCommand } = await import('../run/doctor.js');
        return doctorCommand(shell);
      }),
    );
  examples(command, 'doctor', 'doctor --json');
}
