/** `esignctl users …` (rules 6, 10). */
import { USERS } from '../../core/resources/users.js';
import type { UserRow } from '../../core/rows.js';
import type { Correction } from '../../core/users/change-user.js';
import { command } from '../../core/commands.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { confirm, confirmHere } from '../run/ask.js';
import { listCommand } from '../verb/list-command.js';
import type { Shell } from '../io.js';
import { inEnglish, type Session } from '../run/open.js';
import { asText, choice, flag, orElse, param } from '../verb/params.js';
import { mustChange, reasonOf } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';
import { ARCHIVE, exportTo } from '../run/archive.js';
import { counted, turned } from '../output/words.js';
import { nameWithAddress } from '../../core/users/names.js';

const ABOUT_ERASE = `
Names, addresses, titles, descriptions, mails, PDFs and any free text about the person are removed or made anonymous;
numbers, statuses, amounts and times stay. It is refused while a contract is in force, for ESIGN_RETENTION_YEARS after a signature, and while a
request is neither complete nor canceled. It cannot be undone. Backups and the providers keep what they have:
docs/operations.md says what to do about them.`;

/** A test compares them with core's, which the help does not load. */
const LOCALES = ['en', 'fr'] as const;
const ROLES = { admin: 'ROLE_ADMIN', user: 'ROLE_USER' } as const;
const A_ROLE = { admin: 'an administrator', user: 'an ordinary user' } as const;
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];

const USER = param('log-in name or number', asText, { offers: 'users' });
const EMAIL = param('log-in name', asText, { offers: 'users' });
const ROLE = choice('what the user may do', ROLE_NAMES);

/** Who cannot type a line break writes `\\n`. */
function asLines(text: string): string {
  return text.replaceAll('\\n', '\n');
}

const PASSWORD = {
  passwordStdin: flag('read the password from stdin', { conflicts: ['generate'] }),
  generate: flag('make a password and print it once, alone on stdout'),
};

const create = verb('users create', {
  about: 'create a user; asks for the password, which is never shown, or invites the user to set one',
  args: { email: { ...EMAIL, about: 'log-in name, an e-mail address' } },
  options: {
    role: orElse(ROLE, 'user'),
    invite: flag('mail the user a link to set a password', { conflicts: ['passwordStdin', 'generate'] }),
    firstName: param('first name; needed before the user can sign a contract', String, { word: 'name' }),
    lastName: param('last name; likewise', String, { word: 'name' }),
    phone: param('phone in international form, such as +33612345678', String, { word: 'number' }),
    locale: choice('language of mails, pages and contracts', LOCALES),
    address: param('postal address; \\n begins a line', asLines),
    ...PASSWORD,
  },
  changes: true,
  examples: [
    'anna@example.org --first-name Anna --last-name Martin',
    'anna@example.org --invite',
    'anna@example.org --generate',
    'anna@example.org --password-stdin < password.txt',
  ],
  async act(
    shell,
    { email, role, invite: isInvited, firstName, lastName, phone, locale, address, ...flags },
  ) {
    const { createUser, mustBeCreatable } = await import('../../core/users/create-user.js');
    const { userDocument } = await import('../output/documents.js');
    const { handOver, mustKeepPassword, newPassword } = await import('../run/new-password.js');
    mustKeepPassword(shell, flags);
    const { ctx, out, dryRun, reason, by } = shell;
    const wish = { username: email, role: ROLES[role], firstName, lastName, phone, locale, address };
    // Before anybody types a password for nothing.
    const fields = mustBeCreatable(ctx, wish);
    const asRole = `${fields.username} as ${role}`;
    if (dryRun) return out.result(fields, () => out.line(`would create ${asRole}`));
    if (isInvited) {
      const row = await createUser(ctx, fields, by.actor, { reason });
      return out.result(userDocument(row), () =>
        out.line(`created user ${row.id} ${asRole}; a mail with a link to set a password is on its way`),
      );
    }
    const made = await newPassword(shell, flags, 'Use --invite, --password-stdin or --generate.');
    const row = await createUser(ctx, { ...fields, password: made.password }, by.actor, { reason });
    const did = `created user ${row.id} ${asRole}`;
    return handOver(shell, { user: userDocument(row), did, ...made });
  },
});

const invite = verb('users invite', {
  about: 'mail the invitation again to a user who has no password yet',
  args: { user: USER },
  changes: true,
  examples: ['anna@example.org', '12 --reason "did not find the mail"'],
  async act(shell, { user: typed }) {
    const { inviteUser } = await import('../../core/users/create-user.js');
    const { getUserCalled } = await import('../../core/users/users.js');
    const { userDocument } = await import('../output/documents.js');
    const { ctx, by, out, dryRun } = shell;
    const user = await inviteUser(ctx, getUserCalled(ctx, typed).id, by);
    out.result(userDocument(user), () =>
      out.line(`${dryRun ? 'would invite' : 'invited'} user ${user.id} ${user.username}`),
    );
  },
});

const list = listCommand('users list', USERS, {
  about: 'users, the oldest first',
  examples: ['', '--search dupont', '--csv > users.csv'],
});

const setPassword = verb('users set-password', {
  about: 'set a new password; every session of the user ends',
  args: { email: EMAIL },
  options: PASSWORD,
  changes: true,
  examples: [
    'anna@example.org',
    'anna@example.org --generate --reason "forgotten"',
    'anna@example.org --password-stdin < password.txt',
  ],
  async act(shell, { email, ...flags }) {
    const core = await import('../../core/users/users.js');
    const { handOver, mustKeepPassword, newPassword } = await import('../run/new-password.js');
    mustKeepPassword(shell, flags);
    const { ctx, by, out, dryRun } = shell;
    const { id, username } = core.getUserByUsername(ctx, email);
    const user = { id, username };
    if (dryRun) return out.result(user, () => out.line(`would set the password of ${username}`));
    const made = await newPassword(shell, flags);
    await core.setPassword(ctx, id, made.password, by.actor, by.reason);
    const did = `set the password of user ${id} ${username}; every session of it has ended`;
    return handOver(shell, { user, did, ...made });
  },
});

const exportOne = verb('users export', {
  about: 'everything about one person as one archive, which `verify` can check',
  args: { email: EMAIL },
  options: ARCHIVE,
  changes: 'why it is exported; kept in the history',
  examples: ['anna@example.org --out anna.zip', 'anna@example.org --out anna.zip --reason "she asked"'],
  async act(shell, { email, out: file, offline }) {
    const { exportUser } = await import('../../core/personal-data/export-user.js');
    const { getUserByUsername } = await import('../../core/users/users.js');
    const { ctx, by } = shell;
    const { id, username } = getUserByUsername(ctx, email);
    return exportTo(shell, {
      about: { id, username },
      named: username,
      file,
      offline,
      doing: 'collecting the data',
      write: () => exportUser(ctx, id, file, { ...by, offline, signal: shell.signal }),
    });
  },
});

const erase = verb('users erase', {
  about: 'erase a person’s data, unless a contract must be kept; asks first',
  args: { email: EMAIL },
  changes: 'why; required, and kept in the history, so name nobody in it',
  text: ABOUT_ERASE,
  examples: ['anna@example.org --dry-run', 'anna@example.org --reason "letter of 2 March"'],
  check(shell) {
    if (!shell.dryRun) reasonOf(shell, 'Personal data is erased only with --reason.');
  },
  async act(shell, { email }) {
    const { eraseUser } = await import('../../core/personal-data/erase-user.js');
    const { getUserByUsername } = await import('../../core/users/users.js');
    const { ctx, by, out, dryRun } = shell;
    const user = getUserByUsername(ctx, email);
    const { id, username } = user;
    // Refusals come before the question.
    const previewed = await eraseUser(ctx, id, { ...by, dryRun: true });
    const question = `Erase everything that identifies ${username}? This cannot be undone.`;
    await confirm(shell, question, [nameWithAddress(user)]);
    const { erased, signIds, copies, isFolded } = dryRun ? previewed : await eraseUser(ctx, id, by);
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
  },
});

const setEmail = verb('users set-email', {
  about: 'correct a user’s address; refused mails are sent again, signers are corrected',
  args: { user: USER, email: param('the right address', asText) },
  changes: true,
  examples: ['anna@exmaple.org anna@example.org', '12 anna@example.org --dry-run'],
  act: (shell, { user, email: username }) => correct(shell, user, { username }),
});

const edit = verb('users edit', {
  about: 'correct a user’s name, phone or language; signers of open contracts are corrected too',
  args: { user: USER },
  options: {
    firstName: param('first name', String, { word: 'name' }),
    lastName: param('last name', String, { word: 'name' }),
    phone: param('phone in international form; empty: none', String, { word: 'number' }),
    locale: choice('language of mails, pages and contracts', [...LOCALES, 'none']),
    address: param('postal address; \\n begins a line; empty: none', asLines),
  },
  changes: true,
  examples: ['anna@example.org --last-name Martin', '12 --phone +33612345678'],
  check: (_, given) => mustChange(given, ['firstName', 'lastName', 'phone', 'locale', 'address']),
  act: (shell, { user, locale, ...given }) =>
    correct(shell, user, { ...given, locale: locale === 'none' ? null : locale }),
});

const setRole = verb('users set-role', {
  about: 'make a user an administrator, or no longer one; takes effect at once',
  args: { user: USER, role: ROLE },
  changes: true,
  examples: ['anna@example.org admin --reason "runs the office"', '12 user'],
  async act(shell, { user: typed, role }) {
    const { setUserRole } = await import('../../core/users/change-user.js');
    const { getUserCalled } = await import('../../core/users/users.js');
    const { userDocument } = await import('../output/documents.js');
    const { ctx, by, out, dryRun } = shell;
    const before = getUserCalled(ctx, typed);
    const user = await setUserRole(ctx, before.id, ROLES[role], by);
    out.result(userDocument(user), () => {
      const named = `user ${user.id} ${user.username}`;
      if (before.role === ROLES[role]) out.line(`${named} is ${A_ROLE[role]} already`);
      else out.line(`${named} ${dryRun ? 'would now be' : 'is now'} ${A_ROLE[role]}`);
    });
  },
});

const toggle = (name: 'enable' | 'disable', about: string) =>
  verb(`users ${name}`, {
    about,
    args: { email: EMAIL },
    changes: true,
    examples: ['anna@example.org', 'anna@example.org --reason "left the firm"'],
    async act(shell, { email }) {
      const isEnabled = name === 'enable';
      const { getUserByUsername, keepAnAdministrator, setUserEnabled } =
        await import('../../core/users/users.js');
      const { userDocument } = await import('../output/documents.js');
      const { ctx, by, out, dryRun } = shell;
      const before = getUserByUsername(ctx, email);
      if (dryRun && !isEnabled) keepAnAdministrator(ctx.db, before.id, 'enabled');
      const isNew = (before.enabled === 1) !== isEnabled;
      const user = dryRun ? before : await setUserEnabled(ctx, before.id, isEnabled, by.actor, by.reason);
      const said = turned(`user ${user.id} ${user.username}`, { isEnabled, isNew, dryRun });
      out.result(userDocument(user), () => out.line(said));
    },
  });

export const users = group(
  'users',
  {
    about: 'the people who may log in',
    examples: ['create anna@example.org --role admin', 'list', 'disable anna@example.org'],
  },
  [
    create,
    invite,
    list,
    setPassword,
    exportOne,
    erase,
    setEmail,
    edit,
    setRole,
    toggle('disable', 'close an account: log-in is refused and its tokens end'),
    toggle('enable', 'reopen a closed account'),
  ],
);

function questionOf({ username }: UserRow, wanted: Correction): string {
  return wanted.username === undefined
    ? `Change the details of ${username}?`
    : `Change the address ${username} to ${wanted.username}?`;
}

async function correct(shell: Shell & Session, typed: string, wanted: Correction): Promise<ExitCode | void> {
  const { getUserCalled } = await import('../../core/users/users.js');
  const { correctUser } = await import('../../core/users/change-user.js');
  const { linksMailedAgain } = await import('../../core/requests/before-act.js');
  const { ctx, by, out, dryRun } = shell;
  const before = getUserCalled(ctx, typed);
  const { id } = before;
  // Refusals come before the question.
  const previewed = await correctUser(ctx, id, wanted, { ...by, dryRun: true });
  const requestIds = previewed.signers.map(({ requestId }) => requestId);
  const links = linksMailedAgain(inEnglish(ctx), before, {
    requestIds,
    address: wanted.username ?? before.username,
  });
  await confirmHere(shell, questionOf(before, wanted), [nameWithAddress(before), ...links]);
  const { user, signers, mailsAgain } = dryRun ? previewed : await correctUser(ctx, id, wanted, by);
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
}
