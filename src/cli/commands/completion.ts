/** Options of `esignctl completion` (decisions 10). */
import { Argument, type Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell as ShellName } from '../completion/scripts.js';
import { EXIT } from '../exit-codes.js';
import { examples } from '../options.js';
import type { Act } from '../program.js';

const ABOUT = `
Commands, options, their values, requests and failed jobs are completed.`;

export function registerCompletion(program: Command, act: Act): void {
  const command = program
    .command('completion')
    .description('print the script that lets a shell complete esignctl by the Tab key')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', ABOUT)
    .action(
      act(async ({ out }, _: object, shell: ShellName) => {
        out.result({ shell, script: SCRIPTS[shell] }, () => out.text(SCRIPTS[shell]));
        return EXIT.done;
      }),
    );
  examples(
    command,
    'completion bash > /etc/bash_completion.d/esignctl',
    'completion zsh > "${fpath[1]}/_esignctl"',
    'completion fish > ~/.config/fish/completions/esignctl.fish',
  );
}
