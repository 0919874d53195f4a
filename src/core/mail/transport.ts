/** Sends one mail to one recipient: over SMTP, or into a folder as `.eml` files (setting `ESIGN_SMTP_URL`). */
import { type FileHandle, access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { MailFrom } from './address.js';
import type { InlineImage } from './letter.js';
import { openSmtpTransport } from './smtp-transport.js';
export { MailError } from './mail-error.js';
import { constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { codeOf } from '../../db/caught.js';
import { MailError } from './mail-error.js';
import { composeMessage, messageIdOf } from './message.js';

export interface Mail {
  to: { name?: string; address: string };
  subject: string;
  text: string;
  html: string;
  attachments?: readonly Attachment[];
  images?: readonly InlineImage[];
  /** Sent as `Message-ID`, the same on every attempt, so that mail programs can drop a repeat. */
  messageId: string;
}

export interface Attachment {
  filename: string;
  /** Read while the mail is sent, because many may be sent at once. The caller closes it afterwards. */
  file: FileHandle;
  size: number;
  contentType: string;
}

export interface MailTransport {
  /** Resolves when the server has taken the mail; else throws a MailError. */
  send(mail: Mail): Promise<void>;
  /** Greets the server, or checks that the folder is writable, without sending anything. */
  verify(): Promise<void>;
  close(): void;
}

export interface MailTransportOptions {
  smtpUrl: string;
  from: MailFrom;
  envelopeTimeoutMs?: number;
}

/** Opens the transport that the setting names. Throws a plain Error, which shows no password, for a wrong address. */
export function openMailTransport(options: MailTransportOptions): MailTransport {
  const { smtpUrl } = options;
  if (/^smtps?:/.test(smtpUrl)) return openSmtpTransport(options);
  if (smtpUrl.startsWith('file:')) return openFolderTransport(options);
  throw new Error('the mail address must begin with smtp://, smtps:// or file:');
}

// Writes each mail as an `.eml` file into a folder, for trials and for machines without a mail server.

/** Files are named after the message id, so a mail sent twice is one file. A half-written file is never visible. */
function openFolderTransport({ smtpUrl, from }: MailTransportOptions): MailTransport {
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
