/** The mails that came in over SMTP or were sent by the signature provider itself, newest last. */
import PostalMime from 'postal-mime';

type MailAttachment = {
  filename: string;
  contentType: string;
  /** By which the HTML names it, if it does. */
  contentId: string | null;
  size: number;
  content: Buffer;
};

export type Mail = {
  number: number;
  /** `provider`: the signature provider's own mail, which never passes our SMTP listener. */
  source: 'smtp' | 'provider';
  receivedAt: number;
  from: string;
  to: string[];
  subject: string;
  messageId: string | null;
  text: string;
  html: string | null;
  attachments: MailAttachment[];
};

/** A sandbox that runs for weeks must not fill the memory. */
const KEPT = 500;

export class Mailbox {
  #mails: Mail[] = [];
  #lastNumber = 0;

  list(): readonly Mail[] {
    return this.#mails;
  }

  find(number: number): Mail | undefined {
    return this.#mails.find((mail) => mail.number === number);
  }

  add(mail: Omit<Mail, 'number'>): Mail {
    const added = { number: (this.#lastNumber += 1), ...mail };
    this.#mails.push(added);
    if (this.#mails.length > KEPT) this.#mails.shift();
    return added;
  }

  clear(): void {
    this.#mails = [];
  }
}

/** Reads a raw message; `recipients` come from the envelope, which counts more than the header. */
export async function parseMail(
  raw: Buffer,
  recipients: string[],
  receivedAt: number,
): Promise<Omit<Mail, 'number'>> {
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return {
    source: 'smtp',
    receivedAt,
    from: email.from?.address ?? '',
    to: recipients,
    subject: email.subject ?? '',
    messageId: email.messageId ?? null,
    text: email.text ?? '',
    html: email.html ?? null,
    attachments: email.attachments.map((attachment) => {
      const content = toBuffer(attachment.content);
      const filename = attachment.filename ?? 'attachment';
      const contentId = attachment.contentId?.replaceAll(/^<|>$/g, '') ?? null;
      return { filename, contentType: attachment.mimeType, contentId, size: content.length, content };
    }),
  };
}

function toBuffer(content: string | ArrayBuffer | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.from(content);
}
