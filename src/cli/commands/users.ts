/** Options of `esignctl users …` (decisions 6, 10). */
import { Option, type Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import type { PasswordFlags } from '../new-password.js';
import { changing, examples, idArgument, limitOption, textOption } from '../options.js';
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
  registerList(users, act);
  registerSetPassword(users, act);
  registerSwitch(users, act, 'disable', 'close an account: nobody logs in with it, and its tokens end');
  registerSwitch(users, act, 'enable', 'open an account that was disabled');
  examples(
    users,
    'users create anna@example.org --role admin',
    'users list',
    'users disable anna@example.org',
  );
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
  changing(command).action(
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

function registerList(users: Command, act: Act): void {
  const command = users
    .command('list')
    .description('users, in the order in which they were made')
    .option('--after <id>', 'only those with a higher number', idArgument)
    .option('--limit <count>', 'at most so many users', limitOption, 50)
    .action(
      act(async (shell, flags: { after?: number; limit: number }) => {
        const { listCommand } = await import('../run/users-list.js');
        return listCommand(shell, flags);
      }),
    );
  examples(command, 'users list', 'users list --limit 1000 --json');
}

function registerSetPassword(users: Command, act: Act): void {
  const command = users
    .command('set-password')
    .description('set a new password; every session of the user ends')
    .argument('<email>', 'log-in name', textOption)
    .addOption(new Option('--password-stdin', 'read the password from stdin').conflicts('generate'))
    .option('--generate', 'make a password and print it once, alone on stdout');
  changing(command).action(
    act(async (shell, flags: ChangeFlags & PasswordFlags, username: string) => {
      const { setPasswordCommand } = await import('../run/users-set-password.js');
      return setPasswordCommand(shell, { ...flags, username });
    }),
  );
  examples(
    command,
    'users set-password anna@example.org',
    'users set-password anna@example.org --generate --reason "forgotten"',
    'users set-password anna@example.org --password-stdin < password.txt',
  );
}

function registerSwitch(users: Command, act: Act, verb: 'enable' | 'disable', description: string): void {
  const command = users.command(verb).description(description).argument('<email>', 'log-in name', textOption);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, username: string) => {
      const { switchCommand } = await import('../run/users-switch.js');
      return switchCommand(shell, { ...flags, username, isEnabled: verb === 'enable' });
    }),
  );
  examples(
    command,
    `users ${verb} anna@example.org`,
    `users ${verb} anna@example.org --reason "left the firm"`,
  );
}
