/** Options of `esignctl config …` (decisions 9, 10). */
import type { Command } from 'commander';
import { examples } from '../options.js';
import type { Act } from '../program.js';

export function registerConfig(program: Command, act: Act): void {
  const config = program.command('config').description('the settings as esignd and esignctl read them');
  examples(config, 'config show');
  const command = config
    .command('show')
    .description('every setting, its value (secrets are masked) and where it comes from')
    .action(
      act(async (shell) => {
        const { showConfig } = await import('../run/config-show.js');
        return showConfig(shell);
      }),
    );
  examples(command, 'config show', 'config show --env-file /etc/esign/esign.env --json');
}
