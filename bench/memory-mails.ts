/** A mail server that keeps nothing but the digests of the attached PDFs, however large they are. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  /** The SHA-256 of every PDF that has arrived whole. */
  attachments: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function takeMails(): Promise<MailServer> {
  const attachments = new Set<string>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, callback) => {
      const take = async () => {
        const digest = await digestOfPdf(stream);
        if (digest) attachments.add(digest);
        callback();
      };
      void take();
    },
  });
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    attachments,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}

const HEAD = /\r\ncontent-type: application\/pdf[^]*?\r\n\r\n/i;
const END = '\r\n--';

/** Of the mail's PDF in base64, from its head to the next boundary. */
async function digestOfPdf(mail: Readable): Promise<string | undefined> {
  const hash = createHash('sha256');
  let place: 'before' | 'within' | 'after' = 'before';
  let text = '';
  const decode = (letters: string) => {
    const whole = letters.length - (letters.length % 4);
    hash.update(letters.slice(0, whole), 'base64');
    return letters.slice(whole);
  };
  for await (const chunk of mail.setEncoding('latin1') as AsyncIterable<string>) {
    if (place === 'after') continue;
    text += chunk;
    if (place === 'before') {
      const head = HEAD.exec(text);
      if (!head) continue;
      place = 'within';
      text = text.slice(head.index + head[0].length);
    }
    const end = text.indexOf(END);
    if (end >= 0) place = 'after';
    // What may be the beginning of the end stays.
    const cut = end >= 0 ? end : text.lastIndexOf('\r', text.length - 1);
    if (cut < 0) continue;
    text = decode(text.slice(0, cut).replaceAll('\r\n', '')) + (end >= 0 ? '' : text.slice(cut));
  }
  return place === 'after' ? hash.digest('hex') : undefined;
}
