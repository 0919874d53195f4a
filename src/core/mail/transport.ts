/** Sends one mail to one recipient: over SMTP, or into a folder as `.eml` files (setting `ESIGN_SMTP_URL`). */
import { type FileHandle, access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { type MailFrom, displayName, isMailAddress } from './address.js';
import { type InlineImage, subjectLine } from './letter.js';
import { openSmtpTransport } from './smtp-transport.js';
import { codeOf } from '../../db/caught.js';
import { MailError } from './mail-error.js';
import { oneLine } from '../texts/plain.js';

export { MailError } from './mail-error.js';

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

// Turns a mail into the input of the mail library, with every field checked.

const MESSAGE_ID = /^<?([A-Za-z0-9][A-Za-z0-9._+-]{0,120}@[A-Za-z0-9][A-Za-z0-9.-]{0,100})>?$/;
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/i;

/** A message for exactly one recipient. Throws a MailError (`rejected`) when a field is not what it should be. */
export function composeMessage(mail: Mail, from: MailFrom): SendMailOptions {
  const { to } = mail;
  if (!isMailAddress(to.address)) throw new MailError('rejected', 'the recipient is not one e-mail address');
  if (typeof mail.text !== 'string' || typeof mail.html !== 'string') {
    // The library would take an object for the name of a file or an address to read the body from.
    throw new MailError('rejected', 'the text and the HTML of a mail are strings');
  }
  const files = (mail.attachments ?? []).map(attached);
  return {
    from: { name: displayName(from.name), address: from.address },
    to: { name: displayName(to.name ?? ''), address: to.address },
    // Explicit, so that no header can add a recipient.
    envelope: { from: from.address, to: [to.address], size: sizeOf(mail) },
    messageId: `<${messageIdOf(mail)}>`,
    subject: subjectLine(mail.subject),
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: [...files, ...(mail.images ?? []).map(inlineImage)],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What the whole mail takes, so that a server can refuse it before it is sent; a little too much, for its headers. */
function sizeOf({ text, html, images = [], attachments = [] }: Mail): number {
  const parts = [
    Buffer.byteLength(text),
    Buffer.byteLength(html),
    ...images.map(({ content }) => content.length),
  ];
  const files = attachments.map(({ size }) => size);
  return [...parts, ...files].reduce((sum, bytes) => sum + Math.ceil(bytes / 57) * 78, 4_096);
}

/** The message id without its angle brackets: also a safe file name. */
export function messageIdOf({ messageId }: Mail): string {
  const [, id] = MESSAGE_ID.exec(messageId) ?? [];
  if (!id) throw new MailError('rejected', 'the message id is not of the form name@domain');
  return id;
}

function inlineImage({ cid, filename, contentType, content }: InlineImage) {
  return { cid, filename, contentType, content, contentDisposition: 'inline' as const };
}

// The library may not open files itself; this is the only way in.
function attached({ filename, file, contentType }: Attachment) {
  if (!CONTENT_TYPE.test(contentType))
    throw new MailError('rejected', 'the type of an attachment is not valid');
  const name = oneLine(filename).replaceAll(/[/\\]/g, '-');
  const content = file.createReadStream({ start: 0, autoClose: false });
  return { filename: name, content, contentType, contentDisposition: 'attachment' as const };
}
