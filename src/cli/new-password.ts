/** Where a new password comes from: the person at the terminal, stdin, or chance. Never from the arguments, which others can see. */
import { randomInt } from 'node:crypto';
import { passwordFault } from '../core/users/passwords.js';
import { askNewPassword } from './ask.js';
import type { InStream, Shell } from './io.js';
import { UsageError } from './usage-error.js';

export interface PasswordFlags {
  passwordStdin?: boolean;
  generate?: boolean;
}

/** No letters that are taken for each other when read aloud or typed; 24 of them are about 138 bits. */
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 24;

export async function newPassword(
  shell: Shell,
  { passwordStdin, generate }: PasswordFlags,
): Promise<{ password: string; isGenerated: boolean }> {
  if (generate) return { password: generated(), isGenerated: true };
  const password = passwordStdin
    ? await readPassword(shell.io.stdin)
    : await askNewPassword(shell, passwordFault);
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
