/** Where a new password comes from: a prompt, stdin, or chance. Never from arguments, which others can see. */
import { randomInt } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { command } from '../../core/commands.js';
import { passwordFault } from '../../core/users/passwords.js';
import { askNewPassword } from './ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { InStream, Shell } from '../io.js';
import { UsageError } from '../verb/usage-error.js';

export interface PasswordFlags {
  passwordStdin?: boolean;
  generate?: boolean;
}

/** Without easily confused letters; 24 of them are about 138 bits. */
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 24;

/** Throws before anything is done when stdout would lose the password: /dev/null, closed, or /dev/full. */
export function mustKeepPassword({ io, dryRun }: Shell, { generate }: PasswordFlags): void {
  const { isTTY, fd } = io.stdout;
  if (dryRun || !generate || isTTY || fd === undefined || !fstatSync(fd).isCharacterDevice()) return;
  throw new UsageError(
    'The generated password is printed on stdout, but this stdout discards everything.',
    'Run it on a terminal, or send its output to a file or into a pipe.',
  );
}

export interface NewPassword {
  password: string;
  isGenerated: boolean;
}

/** Reports what was done, with a generated password; says so when the password could not be written. */
export async function handOver(
  { out }: Shell,
  { user, did, password, isGenerated }: NewPassword & { user: { username: string }; did: string },
): Promise<ExitCode> {
  out.result({ ...user, ...(isGenerated && { password }) }, () => {
    if (!isGenerated) return out.line(did);
    // Alone on stdout, for scripts.
    out.line(password);
    out.note(`${did}; the password above is shown only this once`);
  });
  const trouble = isGenerated ? await out.trouble() : undefined;
  if (!trouble) return EXIT.done;
  const message = `the password of ${user.username} was set but could not be printed (${trouble.message}): nobody knows it`;
  const hint = ['Set another one: ', command('users set-password', user.username)];
  out.fault({ code: 'password_lost', message, hint, exit: EXIT.failed });
  return EXIT.failed;
}

export async function newPassword(
  shell: Shell,
  { passwordStdin, generate }: PasswordFlags,
  hint = 'Use --password-stdin or --generate.',
): Promise<NewPassword> {
  if (generate) return { password: generated(), isGenerated: true };
  shell.interruption.say(() => 'nothing was changed');
  const password = passwordStdin
    ? await readPassword(shell.io.stdin)
    : await askNewPassword(shell, passwordFault, hint);
  shell.interruption.say(() => '');
  return { password, isGenerated: false };
}

function generated(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const BYTES_MAX = 4_096;

/** All of stdin without the last line end. */
async function readPassword(stdin: InStream): Promise<string> {
  if (stdin.isTTY) {
    throw new UsageError(
      '--password-stdin reads from a pipe or a file.',
      'Leave it out to be asked for the password.',
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BYTES_MAX) throw new UsageError('What came on stdin is too long for a password.');
    chunks.push(bytes);
  }
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw new UsageError('What came on stdin has more than one line.');
  return password;
}
