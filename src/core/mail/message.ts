/** Turns a mail into the input of the mail library, with every field checked. */
import type { SendMailOptions } from 'nodemailer';
import { oneLine } from '../texts/plain.js';
import { displayName, isMailAddress, type MailFrom } from './address.js';
import { subjectLine, type InlineImage } from './letter.js';
import { MailError } from './mail-error.js';
import type { Attachment, Mail } from './transport.js';

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
