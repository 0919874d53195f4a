/** Where a new password comes from: the person at the terminal, stdin, or chance. Never from the arguments, which others can see. */
import { randomInt } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { passwordFault } from '../core/users/passwords.js';
import { askNewPassword } from './ask.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { InStream, Shell } from './io.js';
import { UsageError } from './usage-error.js';

export interface PasswordFlags {
  passwordStdin?: boolean;
  generate?: boolean;
}

/** No letters that are taken for each other when read aloud or typed; 24 of them are about 138 bits. */
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 24;

/** Throws before anything is done when stdout keeps nothing: /dev/null, also in place of a stdout that is closed, or /dev/full. */
export function mustKeepPassword({ io }: Shell, { generate }: PasswordFlags): void {
  const { isTTY, fd } = io.stdout;
  if (!generate || isTTY || fd === undefined || !fstatSync(fd).isCharacterDevice()) return;
  throw new UsageError(
    'The generated password is printed on stdout, but this stdout discards everything.',
    'Run it on a terminal, or send its output to a file or into a pipe.',
  );
}

/** Done, with the password handed over: an account whose password nobody has is told as what it is. */
export async function handedOver({ out }: Shell, username: string, isGenerated: boolean): Promise<ExitCode> {
  const trouble = isGenerated ? await out.trouble() : undefined;
  if (!trouble) return EXIT.done;
  const message = `the password of ${username} was set but could not be printed (${trouble.message}): nobody knows it`;
  const hint = `Set another one: esignctl users set-password ${username}`;
  out.fault({ code: 'password_lost', message, hint, exit: EXIT.failed });
  return EXIT.failed;
}

export async function newPassword(
  shell: Shell,
  { passwordStdin, generate }: PasswordFlags,
): Promise<{ password: string; isGenerated: boolean }> {
  if (generate) return { password: generated(), isGenerated: true };
  shell.interruption.say(() => 'nothing was changed');
  const password = passwordStdin
    ? await readPassword(shell.io.stdin)
    : await askNewPassword(shell, passwordFault);
  shell.interruption.say(() => '');
  return { password, isGenerated: false };
}

function generated(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const BYTES_MAX = 4_096;

/** Everything on stdin but the last line end. */
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
    const bytes = Buffer.from(chunk as Uint8Array);
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
