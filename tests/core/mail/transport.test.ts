import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseMailFrom } from '../../../src/core/mail/address.js';
import { parseSmtpUrl } from '../../../src/core/mail/smtp-url.js';
import {
  type Mail,
  MailError,
  type MailTransport,
  openMailTransport,
} from '../../../src/core/mail/transport.js';
import type { MailFailure } from '../../../src/core/mail/mail-error.js';

import { openFile } from '../../support/open-file.js';

const FROM = parseMailFrom('Acme Œuvres <contracts@acme.test>');
const PASSWORD = 'p%40ss:w0rd/é';

describe('over SMTP', () => {
  test('a mail arrives as it was written, with the bytes of its attachment, at one recipient', async () => {
    const { transport, received } = await aServer();
    const pdf = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 256)),
    ]);
    const { file } = await openFile(pdf);
    await transport.send(withFile(file, pdf.length, 'contrat-signé.pdf'));
    expect(received).toHaveLength(1);
    const [{ recipients, sender, mail }] = received as [Received];
    expect([sender, recipients]).toEqual(['contracts@acme.test', ['ada@kunde.test']]);
    expect(mail.from).toEqual({ name: 'Acme Œuvres', address: 'contracts@acme.test' });
    expect(mail.to).toEqual([{ name: 'Ada "the first" Łukasz', address: 'ada@kunde.test' }]);
    expect(mail.subject).toBe('Votre contrat signé – œuvre');
    expect(mail.messageId).toBe('<mail-12@acme.test>');
    expect(mail.text?.trim()).toBe('Grüße\n.\nfin');
    expect(mail.html?.trim()).toBe('<p>Grüße</p>');
    expect(mail.attachments.map((file) => [file.filename, file.mimeType])).toEqual([
      ['contrat-signé.pdf', 'application/pdf'],
    ]);
    expect(bytesOf(mail).equals(pdf)).toBe(true);
  });

  test.each([
    ...[
      'a@b.test>\r\nRCPT TO:<evil@x.test',
      'a@b.test, evil@x.test',
      'a@b.test\nBcc: evil@x.test',
      'team: evil@x.test;',
      '"a@evil.test"@b.test',
      '<a@b.test>',
      'a@b@c.test',
      'a b@c.test',
      'a@b.test\u0000',
      'a@',
      '@b.test',
      '',
    ].map((address) => ({ to: { address } })),
    ...['nothing', '<a@b.test>\r\nBcc: x@y.test', '../../etc/x@y.test', '<>'].map((messageId) => ({
      messageId,
    })),
  ])('a mail of %j is refused before anything is sent', async (wrong) => {
    const { transport, received, connections } = await aServer();
    await expect(transport.send(aMail(wrong))).rejects.toMatchObject({ reason: 'rejected' });
    expect([received.length, connections()]).toEqual([0, 0]);
  });

  test('line breaks in subject and name add no header and no recipient', async () => {
    const { transport, received } = await aServer();
    await transport.send(
      aMail({
        subject: 'Hello\r\nBcc: evil@x.test\r\n\r\nbody',
        to: { name: 'Ada\r\nCc: evil@x.test', address: 'ada@kunde.test' },
      }),
    );
    const [{ recipients, mail }] = received as [Received];
    expect(recipients).toEqual(['ada@kunde.test']);
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
    expect(mail.subject).toBe('Hello Bcc: evil@x.test body');
  });

  test('nothing but a listed attachment is ever read from the disk', async () => {
    const { transport, received } = await aServer();
    const path = join(await aFolder(), 'secret.txt');
    await writeFile(path, 'secret');
    const text: string = JSON.parse(JSON.stringify({ path }));
    await expect(transport.send(aMail({ text }))).rejects.toMatchObject({ reason: 'rejected' });
    await transport.send(aMail({ html: `<img src="${path}"><a href="file://${path}">x</a>` }));
    expect(received[0]?.raw).not.toContain('secret\r\n');
    expect(received[0]?.mail.attachments).toEqual([]);
  });

  test('a mail whose attachment cannot be read to its end does not arrive', async () => {
    const { transport, received, stop } = await aServer();
    const file = await open(join(await aFolder(), 'cannot-be-read.pdf'), 'w');
    onTestFinished(() => file.close());
    expect(await failureOf(transport.send(withFile(file, 4_000_000)))).toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/^an attachment cannot be read \(EBADF/),
    });
    await stop();
    expect(received).toEqual([]);
  });

  test('a mail that is given up in the middle of its attachment leaves nothing open', async () => {
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const { transport } = await aServer({ onData: () => begun() });
    const { file } = await openFile(Buffer.alloc(4_000_000));
    const sending = failureOf(transport.send(withFile(file, 4_000_000)));
    await isBegun;
    transport.close();
    expect(await sending).toMatchObject({ reason: 'unavailable' });
    await file.close();
    expect(file.fd).toBe(-1);
  });

  test.each<[command: string, answer: string, MailFailure]>([
    ['RCPT TO', '550 no such user here', 'recipient_refused'],
    ['RCPT TO', '550 5.1.1 <ada@example.test>: no such user', 'recipient_refused'],
    ['RCPT TO', '552 5.2.2 <ada@example.test>: mailbox full', 'recipient_refused'],
    ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied', 'recipient_refused'],
    ['RCPT TO', '552 too much', 'recipient_refused'],
    ['RCPT TO', '554 5.7.1 <ada@example.test>: 192.0.2.1 is listed at bl.example.net', 'server_refused'],
    ['RCPT TO', '550 5.7.1 Relaying denied', 'server_refused'],
    ['RCPT TO', '554 Service unavailable; client host blocked', 'server_refused'],
    ['RCPT TO', '530 Authentication required', 'server_refused'],
    ['RCPT TO', '550 5.1.8 <contracts@acme.test>: sender’s domain not found', 'server_refused'],
    ['RCPT TO', '552 5.2.3 message too long for this mailbox', 'too_large'],
    ['RCPT TO', '450 4.7.1 greylisted', 'unavailable'],
    ['MAIL FROM', '550 5.1.7 bad sender', 'server_refused'],
    ['MAIL FROM', '553 not your address', 'server_refused'],
    ['MAIL FROM', '552 5.3.4 message too big', 'too_large'],
    ['MAIL FROM', '552 too much', 'too_large'],
    ['DATA', '554 5.7.1 looks like spam', 'server_refused'],
    ['DATA', '550 5.1.1 <ada@example.test>: no such user', 'recipient_refused'],
    ['DATA', '552 5.3.4 message too big', 'too_large'],
    ['DATA', '552 too much', 'too_large'],
    ['DATA', '554 no valid content', 'rejected'],
    ['DATA', '550 5.6.0 bad headers', 'rejected'],
    ['DATA', '451 not today', 'unavailable'],
  ])('%s answered with “%s” is %s', async (command, answer, reason) => {
    const [code, ...words] = answer.split(' ');
    const refusal = Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
    const { transport } = await aServer({
      onMailFrom: (_address, _session, done) => done(command === 'MAIL FROM' ? refusal : null),
      onRcptTo: (_address, _session, done) => done(command === 'RCPT TO' ? refusal : null),
      onData: (stream, _session, done) =>
        stream.on('end', () => done(command === 'DATA' ? refusal : null)).resume(),
    });
    const error = await failureOf(transport.send(aMail()));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(`answered ${command}: ${code}`);
    // One trouble has the same words, whoever the mail was for.
    expect(error.message.includes('ada@example.test')).toBe(
      reason !== 'server_refused' && answer.includes('<ada@'),
    );
  });

  test('a 421 for the recipient is about the connection', async () => {
    const refusal = Object.assign(new Error('closing'), { responseCode: 421 });
    const { transport } = await aServer({ onRcptTo: (_address, _session, done) => done(refusal) });
    expect(await failureOf(transport.send(aMail()))).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('answered: 421'),
    });
  });

  test('a mail larger than the server announces is not sent; one as large as that is', async () => {
    const { transport, received } = await aServer({ size: 100_000, rejectOversized: true });
    const withPdf = async (size: number) => withFile((await openFile(Buffer.alloc(size))).file, size);
    expect(await failureOf(transport.send(await withPdf(75_000)))).toMatchObject({ reason: 'too_large' });
    expect(received).toEqual([]);
    await transport.send(await withPdf(68_000));
    expect(received).toHaveLength(1);
  });

  test.each([true, false])(
    'a log-in, special characters and all (right: %s): refused, it is about us, and no message shows the password even if the server repeats it',
    async (isRight) => {
      const seen: unknown[] = [];
      const { transport, received } = await aServer(
        {
          authOptional: false,
          onAuth: ({ username, password }, _session, done) => {
            seen.push(username, password);
            if (isRight) done(null, { user: username });
            else done(new Error(`wrong: ${password} for ${username}`));
          },
        },
        `user:${encodeURIComponent(PASSWORD)}@`,
      );
      const tries = await Promise.allSettled([transport.send(aMail()), transport.verify()]);
      expect(seen.slice(0, 2)).toEqual(['user', PASSWORD]);
      expect(received).toHaveLength(isRight ? 1 : 0);
      const errors = tries.flatMap((each) => (each.status === 'rejected' ? (each.reason as MailError) : []));
      expect(errors.map(({ reason, cause }) => [reason, cause])).toEqual(
        isRight ? [] : [1, 2].map(() => ['server_refused', undefined]),
      );
      const words = errors.map(({ message, stack }) => `${message} ${stack}`);
      expect(words.every((each) => each.includes('535 wrong: ***') && !each.includes(PASSWORD))).toBe(true);
    },
  );

  test('a server that is not there or never answers is unavailable', async () => {
    const gone = await aServer();
    await gone.stop();
    const silent = await aServer({ onConnect: () => {} }, '', 300);
    expect(await failureOf(gone.transport.send(aMail()))).toMatchObject({ reason: 'unavailable' });
    expect(await failureOf(gone.transport.verify())).toMatchObject({ reason: 'unavailable' });
    const late = await failureOf(silent.transport.send(aMail()));
    expect([late.reason, late.message]).toEqual([
      'unavailable',
      expect.stringContaining('did not answer in time'),
    ]);
  });

  test('verify greets the server and sends nothing; a closed transport sends no more', async () => {
    const { transport, received, connections } = await aServer();
    await transport.verify();
    expect([connections(), received.length]).toEqual([1, 0]);
    transport.close();
    expect(await failureOf(transport.send(aMail()))).toMatchObject({ reason: 'unavailable' });
  });

  test('a certificate that nobody signed is refused, unless the operator allows it', async () => {
    const strict = await aServer({ disabledCommands: [] });
    const lenient = await aServer({ disabledCommands: [] }, '', undefined, '?tls.rejectUnauthorized=false');
    expect((await failureOf(strict.transport.send(aMail()))).message).toMatch(/certificate/);
    await lenient.transport.send(aMail());
    expect([strict.received.length, lenient.received.length]).toEqual([0, 1]);
  });
});

describe('the address of the mail server', () => {
  test('a password is only sent over TLS, unless the server is this machine or the operator says otherwise', () => {
    expect(parseSmtpUrl('smtp://u:p@mail.acme.test').requireTLS).toBe(true);
    expect(parseSmtpUrl('smtp://u:p@127.0.0.1:8025').requireTLS).toBe(false);
    expect(parseSmtpUrl('smtp://u:p@mail.acme.test?ignoreTLS=true').requireTLS).toBe(false);
    expect(parseSmtpUrl('smtp://mail.acme.test').requireTLS).toBe(false);
  });

  test('ports follow the scheme', () => {
    expect(parseSmtpUrl('smtps://mail.acme.test')).toMatchObject({ port: 465, secure: true });
    expect(parseSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, secure: false });
  });

  test.each([
    'smtp://user:hunter2@',
    'smtp://user:hunter2%zz@mail.test',
    'smtp://user:hunter2@mail.test?pool=1',
    'smtp://user:hunter2@mail.test?ignoreTLS=hunter2',
    'http://user:hunter2@mail.test',
    'hunter2',
    '',
  ])('%j is refused when the transport is opened, without repeating it', (smtpUrl) => {
    let message = '';
    try {
      openMailTransport({ smtpUrl, from: FROM });
    } catch (error) {
      message = String(error instanceof Error && `${error.message} ${error.stack}`);
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('hunter2');
  });
});

describe('into a folder', () => {
  test('each mail is one whole file named after its message id, and a repeat replaces it', async () => {
    const folder = await aFolder();
    const transport = openMailTransport({ smtpUrl: `file:${folder}/new/mail`, from: FROM });
    await transport.verify();
    await Promise.all([transport.send(aMail()), transport.send(aMail({ messageId: '<mail-13@acme.test>' }))]);
    await transport.send(aMail({ subject: 'Again' }));
    const files = await readdir(join(folder, 'new/mail'));
    expect(files.toSorted()).toEqual(['mail-12@acme.test.eml', 'mail-13@acme.test.eml']);
    const path = join(folder, 'new/mail/mail-12@acme.test.eml');
    const mail = await PostalMime.parse(await readFile(path));
    expect([mail.subject, mail.to?.[0]?.address, mail.text?.trim()]).toEqual([
      'Again',
      'ada@kunde.test',
      'Grüße\n.\nfin',
    ]);
    expect((await stat(path)).mode & 0o007).toBe(0);
  });

  test('a folder that cannot be is unavailable', async () => {
    const folder = await aFolder();
    await writeFile(join(folder, 'file'), '');
    const transport = openMailTransport({ smtpUrl: `file:${folder}/file/mail`, from: FROM });
    expect(await failureOf(transport.verify())).toMatchObject({ reason: 'unavailable' });
    expect(await failureOf(transport.send(aMail()))).toMatchObject({ reason: 'unavailable' });
  });
});

describe('the sender', () => {
  test.each([
    ['Acme Maintenance <contracts@acme.test>', 'Acme Maintenance', 'contracts@acme.test'],
    ['"Acme, \\"Œuvre\\" & Sons" <a+b@acme.test>', 'Acme, "Œuvre" & Sons', 'a+b@acme.test'],
    ['contracts@acme.test', 'acme.test', 'contracts@acme.test'],
    [' <contracts@acme.test> ', 'acme.test', 'contracts@acme.test'],
  ])('%s is understood', (value, name, address) => {
    expect(parseMailFrom(value)).toEqual({ name, address });
  });

  test.each([
    '',
    'Acme',
    'Acme <>',
    'a@b.test, c@d.test',
    'Acme <a@b.test> x',
    'A <a@b.test>\r\nBcc: c@d.test',
    'A <a@b@c.test>',
    'A, B <a@b.test>',
  ])('%j is refused with an example', (value) => {
    expect(() => parseMailFrom(value)).toThrow(/is not one mail address.*contracts@acme\.test/);
  });
});

interface Received {
  sender: string;
  recipients: string[];
  raw: string;
  mail: Email;
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A mail whose attachment is said to have that size. */
const withFile = (file: FileHandle, size: number, filename = 'c.pdf') =>
  aMail({ attachments: [{ filename, file, size, contentType: 'application/pdf' }] });

/** A real SMTP server on a free port, and a transport that speaks to it. */
async function aServer(options: SMTPServerOptions = {}, login = '', envelopeTimeoutMs = 5000, query = '') {
  const received: Received[] = [];
  let count = 0;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => done(),
    onData: (stream, session, done) => {
      const take = async () => {
        try {
          received.push(await readMail(stream, session));
          done();
        } catch (error) {
          done(error as Error);
        }
      };
      void take();
    },
    ...options,
  });
  server.server.on('connection', () => (count += 1));
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const transport: MailTransport = openMailTransport({
    smtpUrl: `smtp://${login}127.0.0.1:${port}${query}`,
    from: FROM,
    envelopeTimeoutMs,
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  onTestFinished(async () => {
    transport.close();
    await stop();
  });
  return { transport, received, connections: () => count, stop };
}

async function readMail(stream: AsyncIterable<Buffer>, { envelope }: SMTPServerSession): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const { mailFrom, rcptTo } = envelope;
  return {
    sender: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map(({ address }) => address),
    raw: raw.toString(),
    mail: await PostalMime.parse(raw),
  };
}

function aMail(other: Partial<Mail> = {}): Mail {
  return {
    to: { name: 'Ada "the first" Łukasz', address: 'ada@kunde.test' },
    subject: 'Votre contrat signé – œuvre',
    text: 'Grüße\n.\nfin',
    html: '<p>Grüße</p>',
    messageId: '<mail-12@acme.test>',
    ...other,
  };
}

function bytesOf({ attachments: [first] }: Email): Buffer {
  const content = first?.content;
  return content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.alloc(0);
}

async function failureOf(act: Promise<void>): Promise<MailError> {
  const outcome = await act.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof MailError) return outcome;
  throw new Error(`expected a MailError, got ${String(outcome)}`);
}
