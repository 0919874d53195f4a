/** Writes each mail as an `.eml` file into a folder, for trials and for machines without a mail server. */
import { constants } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { codeOf } from '../../db/caught.js';
import { MailError } from './mail-error.js';
import { composeMessage, messageIdOf } from './message.js';
import type { MailTransport, MailTransportOptions } from './transport.js';

/** Files are named after the message id, so a mail sent twice is one file. A half-written file is never visible. */
export function openFolderTransport({ smtpUrl, from }: MailTransportOptions): MailTransport {
  const folder = folderOf(smtpUrl);
  return {
    send: (mail) =>
      asMailError(async () => {
        const id = messageIdOf(mail);
        await writeWhole(folder, `${id}.eml`, await bytesOf(composeMessage(mail, from)));
      }),
    verify: () =>
      asMailError(async () => {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK);
      }),
    close: () => {},
  };
}

function folderOf(fileUrl: string): string {
  const path = fileUrl.startsWith('file://') ? fileURLToPath(fileUrl) : fileUrl.slice('file:'.length);
  if (!path || path.includes('\0'))
    throw new Error('expected a folder for the mails, such as file:./var/mail');
  return resolve(path);
}

async function bytesOf(message: SendMailOptions): Promise<Readable> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, newline: 'windows' });
  const { message: bytes } = await composer.sendMail(message);
  if (Buffer.isBuffer(bytes)) throw new TypeError('the composer was asked for a stream');
  return bytes;
}

async function writeWhole(folder: string, name: string, bytes: Readable): Promise<void> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, name);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes, { mode: 0o640 });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function asMailError(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof MailError) throw error;
    throw new MailError(
      'unavailable',
      `the folder for mails cannot be written (${codeOf(error) || 'unknown'})`,
    );
  }
}
