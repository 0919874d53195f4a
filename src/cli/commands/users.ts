/** `esignctl users …` (rules 6, 10). */
import { Argument, Option } from 'commander';
import { USERS } from '../../core/resources/users.js';
import type { UserRow } from '../../core/rows.js';
import type { Correction } from '../../core/users/correct-user.js';
import { command } from '../../core/commands.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { confirm, confirmHere } from '../run/ask.js';
import { listCommand } from '../verb/list-command.js';
import type { Shell } from '../io.js';
import type { PasswordFlags } from '../run/new-password.js';
import { inEnglish, withSession, type Session } from '../run/open.js';
import { textOption } from '../verb/options.js';
import { withProgress } from '../output/progress.js';
import { UsageError } from '../verb/usage-error.js';
import type { Verb } from '../verb/verb.js';
import { counted, turned } from '../output/words.js';
import { nameWithAddress } from '../../core/users/names.js';

const ABOUT_ERASE = `
Names, addresses, titles, descriptions, mails, PDFs and any free text about the person are removed or made anonymous;
numbers, statuses, amounts and times stay. It is refused while a contract is in force, for ESIGN_RETENTION_YEARS after a signature, and while a
request is neither complete nor canceled. It cannot be undone. Backups and the providers keep what they have:
docs/operations.md says what to do about them.`;

export function users(program: Verb): void {
  const users = program
    .command('users')
    .description('the people who may log in')
    .examples('users create anna@example.org --role admin', 'users list', 'users disable anna@example.org');
  withPassword(
    users
      .command('create')
      .description(
        'create a user; asks for the password, which is never shown, or invites the user to set one',
      )
      .known('<email>', 'log-in name, an e-mail address', 'users', textOption)
      .addOption(
        new Option('--role <role>', 'what the user may do').choices(Object.keys(ROLES)).default('user'),
      )
      .addOption(
        new Option('--invite', 'mail the user a link to set a password').conflicts([
          'passwordStdin',
          'generate',
        ]),
      )
      .option('--first-name <name>', 'first name; needed before the user can sign a contract')
      .option('--last-name <name>', 'last name; likewise')
      .option('--phone <number>', 'phone in international form, such as +33612345678')
      .addOption(new Option('--locale <locale>', 'language of mails, pages and contracts').choices(LOCALES)),
  )
    .changes()
    .examples(
      'users create anna@example.org --first-name Anna --last-name Martin',
      'users create anna@example.org --invite',
      'users create anna@example.org --generate',
      'users create anna@example.org --password-stdin < password.txt',
    )
    .does(create);
  users
    .command('invite')
    .description('mail the link to set a password again, to a user who has none yet')
    .known('<user>', 'log-in name or number', 'users', textOption)
    .changes()
    .examples('users invite anna@example.org', 'users invite 12 --reason "did not find the mail"')
    .does(invite);
  listCommand(users.command('list').description('users, oldest first'), USERS).examples(
    'users list',
    'users list --search dupont',
    'users list --csv > users.csv',
  );
  withPassword(
    users
      .command('set-password')
      .description('set a new password; every session of the user ends')
      .known('<email>', 'log-in name', 'users', textOption),
  )
    .changes()
    .examples(
      'users set-password anna@example.org',
      'users set-password anna@example.org --generate --reason "forgotten"',
      'users set-password anna@example.org --password-stdin < password.txt',
    )
    .does(setPassword);
  users
    .command('export')
    .description('everything about one person as one archive, which `verify` can check')
    .known('<email>', 'log-in name', 'users', textOption)
    .requiredOption('--out <file>', 'the archive to write; an existing file is never overwritten', textOption)
    .option('--offline', 'leave out what only the signature provider has')
    .changes('why it is exported; kept in the history')
    .examples(
      'users export anna@example.org --out anna.zip',
      'users export anna@example.org --out anna.zip --reason "she asked"',
    )
    .does(exportOne);
  users
    .command('erase')
    .description('erase a person’s data, unless a contract must be kept; asks first')
    .known('<email>', 'log-in name', 'users', textOption)
    .changes('why; required, and kept in the history, so name nobody in it')
    .about(ABOUT_ERASE)
    .examples(
      'users erase anna@example.org --dry-run',
      'users erase anna@example.org --reason "letter of 2 March"',
    )
    .does(eraseOne);
  users
    .command('set-email')
    .description('correct a user’s address; refused mails are sent again, signers are corrected')
    .known('<user>', 'log-in name or number', 'users', textOption)
    .argument('<email>', 'the right address', textOption)
    .changes()
    .examples(
      'users set-email anna@exmaple.org anna@example.org',
      'users set-email 12 anna@example.org --dry-run',
    )
    .does((shell, _: object, user: string, username: string) => correct(shell, user, { username }));
  users
    .command('edit')
    .description('correct a user’s name, phone or language; signers of open contracts are corrected too')
    .known('<user>', 'log-in name or number', 'users', textOption)
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--phone <number>', 'phone in international form; empty: none')
    .addOption(
      new Option('--locale <locale>', 'language of mails, pages and contracts').choices([...LOCALES, 'none']),
    )
    .changes()
    .examples('users edit anna@example.org --last-name Martin', 'users edit 12 --phone +33612345678')
    .does((shell, flags: EditFlags, user: string) => {
      const { firstName, lastName, phone } = flags;
      const locale = flags.locale === 'none' ? null : flags.locale;
      if ([firstName, lastName, phone, locale].every((it) => it === undefined)) {
        throw new UsageError(
          'Nothing to change was given.',
          'Add --first-name, --last-name, --phone or --locale.',
        );
      }
      return correct(shell, user, { firstName, lastName, phone, locale });
    });
  users
    .command('set-role')
    .description('make a user an administrator, or no longer one; takes effect at once')
    .known('<user>', 'log-in name or number', 'users', textOption)
    .addArgument(new Argument('<role>', 'what the user may do').choices(Object.keys(ROLES)))
    .changes()
    .examples('users set-role anna@example.org admin --reason "runs the office"', 'users set-role 12 user')
    .does((shell, _: object, user: string, role: keyof typeof ROLES) => setRole(shell, user, role));
  const aSwitch = (verb: 'enable' | 'disable', about: string) =>
    users
      .command(verb)
      .description(about)
      .known('<email>', 'log-in name', 'users', textOption)
      .changes()
      .examples(`users ${verb} anna@example.org`, `users ${verb} anna@example.org --reason "left the firm"`)
      .does((shell, _: object, username: string) => turn(shell, username, verb === 'enable'));
  aSwitch('disable', 'close an account: log-in is refused and its tokens end');
  aSwitch('enable', 'reopen a closed account');
}

function withPassword(command: Verb): Verb {
  return command
    .addOption(new Option('--password-stdin', 'read the password from stdin').conflicts('generate'))
    .option('--generate', 'make a password and print it once, alone on stdout');
}

type EditFlags = Omit<Correction, 'username' | 'locale'> & { locale?: Correction['locale'] | 'none' };

/** A test compares them with core's, which the help does not load. */
const LOCALES = ['en', 'fr'] as const;
const ROLES = { admin: 'ROLE_ADMIN', user: 'ROLE_USER' } as const;

type CreateFlags = PasswordFlags & {
  role: keyof typeof ROLES;
  invite?: boolean;
  firstName?: string;
  lastName?: string;
  phone?: string;
  locale?: (typeof LOCALES)[number];
};

async function create(
  shell: Shell,
  { role, invite: isInvited, firstName, lastName, phone, locale, ...flags }: CreateFlags,
  typed: string,
): Promise<ExitCode | void> {
  const { createUser, mustBeCreatable } = await import('../../core/users/create-user.js');
  const { userDocument } = await import('../output/documents.js');
  const { handOver, mustKeepPassword, newPassword } = await import('../run/new-password.js');
  mustKeepPassword(shell, flags);
  const creating = async ({ ctx, by: { actor } }: Session) => {
    const { out, dryRun, reason } = shell;
    const wish = { username: typed, role: ROLES[role], firstName, lastName, phone, locale };
    // Before anybody types a password for nothing.
    const fields = mustBeCreatable(ctx, wish);
    const asRole = `${fields.username} as ${role}`;
    if (dryRun) return out.result(fields, () => out.line(`would create ${asRole}`));
    if (isInvited) {
      const row = await createUser(ctx, fields, actor, { reason });
      return out.result(userDocument(row), () =>
        out.line(`created user ${row.id} ${asRole}; a mail with a link to set a password is on its way`),
      );
    }
    const made = await newPassword(shell, flags);
    const row = await createUser(ctx, { ...fields, password: made.password }, actor, { reason });
    const did = `created user ${row.id} ${asRole}`;
    return handOver(shell, { user: userDocument(row), did, ...made });
  };
  return withSession(shell, creating);
}

async function setPassword(shell: Shell, flags: PasswordFlags, typed: string): Promise<ExitCode | void> {
  const core = await import('../../core/users/users.js');
  const { handOver, mustKeepPassword, newPassword } = await import('../run/new-password.js');
  mustKeepPassword(shell, flags);
  return withSession(shell, async ({ ctx, by: { actor, reason } }) => {
    const { out, dryRun } = shell;
    const { id, username } = core.getUserByUsername(ctx, typed);
    const user = { id, username };
    if (dryRun) return out.result(user, () => out.line(`would set the password of ${username}`));
    const made = await newPassword(shell, flags);
    await core.setPassword(ctx, id, made.password, actor, reason);
    const did = `set the password of user ${id} ${username}; every session of it has ended`;
    return handOver(shell, { user, did, ...made });
  });
}

async function turn(shell: Shell, typed: string, isEnabled: boolean): Promise<void> {
  const { getUserByUsername, keepAnAdministrator, setUserEnabled } =
    await import('../../core/users/users.js');
  const { userDocument } = await import('../output/documents.js');
  return withSession(shell, async ({ ctx, by: { actor, reason } }) => {
    const { out, dryRun } = shell;
    const before = getUserByUsername(ctx, typed);
    if (dryRun && !isEnabled) keepAnAdministrator(ctx.db, before.id, 'enabled');
    const isNew = (before.enabled === 1) !== isEnabled;
    const user = dryRun ? before : await setUserEnabled(ctx, before.id, isEnabled, actor, reason);
    const said = turned(`user ${user.id} ${user.username}`, { isEnabled, isNew, dryRun });
    out.result(userDocument(user), () => out.line(said));
  });
}

async function invite(shell: Shell, _: object, typed: string): Promise<void> {
  const { inviteUser } = await import('../../core/users/invite-user.js');
  const { getUserCalled } = await import('../../core/users/users.js');
  const { userDocument } = await import('../output/documents.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun } = shell;
    const user = await inviteUser(ctx, getUserCalled(ctx, typed).id, by);
    out.result(userDocument(user), () =>
      out.line(`${dryRun ? 'would invite' : 'invited'} user ${user.id} ${user.username}`),
    );
  });
}

async function setRole(shell: Shell, typed: string, role: keyof typeof ROLES): Promise<void> {
  const { setUserRole } = await import('../../core/users/change-user.js');
  const { getUserCalled } = await import('../../core/users/users.js');
  const { userDocument } = await import('../output/documents.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun } = shell;
    const before = getUserCalled(ctx, typed);
    const user = await setUserRole(ctx, before.id, ROLES[role], by);
    out.result(userDocument(user), () => {
      const named = `user ${user.id} ${user.username}`;
      if (before.role === ROLES[role]) out.line(`${named} has the role ${role} already`);
      else out.line(`${dryRun ? 'would give' : 'gave'} ${named} the role ${role}`);
    });
  });
}

async function exportOne(
  shell: Shell,
  { out: file, offline = false }: { out: string; offline?: boolean },
  typed: string,
): Promise<ExitCode | void> {
  const { exportUser } = await import('../../core/personal-data/export-user.js');
  const { mustBeFree } = await import('../../core/evidence/new-file.js');
  const { getUserByUsername } = await import('../../core/users/users.js');
  const { tellArchive } = await import('../output/archive.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun, signal } = shell;
    const { id, username } = getUserByUsername(ctx, typed);
    if (dryRun) {
      await mustBeFree(file);
      return out.result({ id, username, file }, () => out.line(`would export ${username} to ${file}`));
    }
    const written = await withProgress(shell, 'collecting the data', () =>
      exportUser(ctx, id, file, { ...by, offline, signal }),
    );
    return tellArchive(shell, written, { mayMiss: offline });
  });
}

async function eraseOne(shell: Shell, _: object, typed: string): Promise<void> {
  const { reason, dryRun, out } = shell;
  if (!reason && !dryRun) {
    throw new UsageError('Why? Personal data is erased only with --reason.', 'Add --reason "…".');
  }
  const { eraseUser } = await import('../../core/personal-data/erase-user.js');
  const { getUserByUsername } = await import('../../core/users/users.js');
  return withSession(shell, async ({ ctx, by }) => {
    const user = getUserByUsername(ctx, typed);
    const { id, username } = user;
    // Refusals come before the question.
    const foretold = await eraseUser(ctx, id, { ...by, dryRun: true });
    const question = `Erase everything that identifies ${username}? This cannot be undone.`;
    await confirm(shell, question, [nameWithAddress(user)]);
    const { erased, signIds, copies, isFolded } = dryRun ? foretold : await eraseUser(ctx, id, by);
    out.result({ id, erased, signIds, copies, folded: isFolded }, () => {
      out.line(`${dryRun ? 'would erase' : 'erased'} user ${id}`);
      for (const [what, count] of Object.entries(erased)) out.line(`${what}\t${count}`);
    });
    for (const file of copies) out.note(`still contains the data: ${file}`);
    if (signIds.length > 0) out.note(`the signature provider still holds: ${signIds.join(', ')}`);
    if (!isFolded)
      out.note(
        out.advice([
          'the write-ahead log still holds old pages; the nightly housekeeping, or `',
          command('prune'),
          '`, folds it in',
        ]),
      );
  });
}

function questionOf({ username }: UserRow, wanted: Correction): string {
  return wanted.username === undefined
    ? `Change the details of ${username}?`
    : `Change the address ${username} to ${wanted.username}?`;
}

async function correct(shell: Shell, typed: string, wanted: Correction): Promise<ExitCode | void> {
  const { getUserCalled } = await import('../../core/users/users.js');
  const { correctUser } = await import('../../core/users/correct-user.js');
  const { linksMailedAgain } = await import('../../core/requests/mailed-links.js');
  return withSession(shell, async ({ ctx, by }) => {
    const { out, dryRun } = shell;
    const before = getUserCalled(ctx, typed);
    const { id } = before;
    // Refusals come before the question.
    const foretold = await correctUser(ctx, id, wanted, { ...by, dryRun: true });
    const requestIds = foretold.signers.map(({ requestId }) => requestId);
    const links = linksMailedAgain(inEnglish(ctx), before, {
      requestIds,
      address: wanted.username ?? before.username,
    });
    await confirmHere(shell, questionOf(before, wanted), [nameWithAddress(before), ...links]);
    const { user, signers, mailsAgain } = dryRun ? foretold : await correctUser(ctx, id, wanted, by);
    out.result({ id, username: user.username, signers, mailsAgain }, () => {
      out.line(`${dryRun ? 'would change' : 'changed'} user ${id} ${user.username}`);
      if (mailsAgain > 0)
        out.line(`${counted(mailsAgain, 'refused mail')} ${dryRun ? 'would be' : 'will be'} sent again`);
      for (const { reference, corrected, error } of signers) {
        if (corrected) out.line(`${reference}: the signer was corrected and gets the link again`);
        else if (error === null) out.line(`${reference}: would correct the signer`);
      }
    });
    const missed = signers.filter(({ error }) => error !== null);
    for (const { requestId, reference, error } of missed) {
      const reset = out.command(command('reset-signature', requestId));
      out.note(
        `${reference}: the signer is not corrected yet: ${error}. It will be retried automatically; this command retries now. A new contract helps too: ${reset}`,
      );
    }
    return missed.length > 0 ? EXIT.failed : EXIT.done;
  });
}
