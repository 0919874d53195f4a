/** Sends one mail to one recipient: over SMTP, or into a folder as `.eml` files (setting `ESIGN_SMTP_URL`). */
import type { FileHandle } from 'node:fs/promises';
import { openFolderTransport } from './folder-transport.js';
import type { MailFrom } from './address.js';
import type { InlineImage } from './letter.js';
import { openSmtpTransport } from './smtp-transport.js';

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
