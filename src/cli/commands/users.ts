/** Options of `esignctl users …` (decisions 6, 10). */
import { Option, type Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, REASON_NOT_KEPT, textOption } from '../options.js';
import type { Act } from '../program.js';

type CreateFlags = ChangeFlags & {
  role: 'admin' | 'user';
  firstName?: string;
  lastName?: string;
  phone?: string;
  passwordStdin?: boolean;
  generate?: boolean;
};

export function registerUsers(program: Command, act: Act): void {
  const users = program.command('users').description('the people who may log in');
  registerCreate(users, act);
  examples(users, 'users create anna@example.org --role admin');
}

function registerCreate(users: Command, act: Act): void {
  const command = users
    .command('create')
    .description('create a user; asks for the password, which is never shown')
    .argument('<email>', 'log-in name, an e-mail address', textOption)
    .addOption(new Option('--role <role>', 'what the user may do').choices(['admin', 'user']).default('user'))
    .option('--first-name <name>', 'first name; needed before the user can sign a contract')
    .option('--last-name <name>', 'last name; likewise')
    .option('--phone <number>', 'phone in international form, such as +33612345678')
    .addOption(new Option('--password-stdin', 'read the password from stdin').conflicts('generate'))
    .option('--generate', 'make a password and print it once, alone on stdout');
  changing(command, REASON_NOT_KEPT).action(
    act(async (shell, flags: CreateFlags, username: string) => {
      const { createUserCommand } = await import('../run/users-create.js');
      return createUserCommand(shell, { ...flags, username });
    }),
  );
  examples(
    command,
    'users create anna@example.org --role admin --first-name Anna --last-name Martin',
    'users create anna@example.org --generate',
    'users create anna@example.org --password-stdin < password.txt',
  );
}
