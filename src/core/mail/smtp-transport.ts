/** Mail over SMTP. Each mail gets its own connection, so a connection that died while idle is never reused. */
import type { Transporter } from 'nodemailer';
import { MailError, type MailFailure } from './mail-error.js';
import { composeMessage, type MailTransport, type MailTransportOptions } from './transport.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';
import { oneLine, shorten } from '../texts/plain.js';
import { codeOf } from '../../db/caught.js';

// The socket time-out only measures silence; this one also stops a server that sends a byte now and then.
const SEND_MS_MAX = 120_000;

/** Throws at once for a wrong address; loads the mail library with the first mail. */
export function openSmtpTransport(options: MailTransportOptions): MailTransport {
  const { from, envelopeTimeoutMs = SEND_MS_MAX } = options;
  const server = parseSmtpUrl(options.smtpUrl);
  const closed = new AbortController();
  let transporter: Promise<Transporter> | undefined;

  async function attempt(act: (transporter: Transporter, signal: AbortSignal) => Promise<unknown>) {
    if (closed.signal.aborted) throw new MailError('unavailable', 'the mail transport is closed');
    try {
      transporter ??= connectTo(server);
      await act(await transporter, AbortSignal.any([closed.signal, AbortSignal.timeout(envelopeTimeoutMs)]));
    } catch (error) {
      throw mailErrorOf(error, server);
    }
  }

  return {
    send: (mail) => attempt(async (smtp, signal) => smtp.sendMail({ ...composeMessage(mail, from), signal })),
    verify: () => attempt((smtp) => smtp.verify()),
    close: () => closed.abort(),
  };
}

async function connectTo(server: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { auth, verifyCertificate, ...connection } = server;
  return createTransport({
    ...connection,
    ...(auth && { auth }),
    tls: { rejectUnauthorized: verifyCertificate },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

// Gives an error of the mail server its reason, in words that hold no secret.

/**
 * What a 5xx answer is about, its enhanced status says (RFC 3463), whichever command it answers: 5.7 is the server's
 * policy, such as a blocklist that names this machine, or our log-in; 5.1.7 and 5.1.8 our own address; the rest of 5.1
 * and 5.2 the recipient's.
 */
const BY_STATUS: readonly [RegExp, MailFailure][] = [
  [/^(2\.3|3\.4)$/, 'too_large'],
  [/^(7\.\d+|1\.[78])$/, 'server_refused'],
  [/^[12]\./, 'recipient_refused'],
];
const STATUS = /^5\d\d[ -]5\.(\d{1,3}\.\d{1,3})\b/;

/** Without one, the command and the code decide. */
const BY_COMMAND: readonly [command: RegExp, codes: RegExp, MailFailure][] = [
  [/^RCPT TO$/, /^(521|53\d|554|571)$/, 'server_refused'],
  [/^RCPT TO$/, /./, 'recipient_refused'],
  [/^(MAIL FROM|DATA)$/, /^(523|552)$/, 'too_large'],
  [/^DATA$/, /./, 'rejected'],
];

/** The server has announced that it takes no mail as large as this one. */
const TOO_LARGE = 'EMESSAGE';
const OUR_OWN_FAULT = /^(EFILEACCESS|EURLACCESS|EENVELOPE)$/;

/**
 * A 5xx answer is permanent, as `MailFailure` tells them apart; 4xx and any trouble with the connection are `unavailable`.
 * The original error is not kept as the cause, because it may hold secrets.
 */
function mailErrorOf(error: unknown, server: SmtpServer): MailError {
  if (error instanceof MailError) return error;
  if (codeOf(error) === 'ESTREAM') {
    const why = shorten(oneLine(field(error, 'message')), 200);
    return new MailError('unavailable', `an attachment cannot be read (${why})`);
  }
  const reason = reasonOf(error);
  const story = `the mail server ${server.host}:${server.port} ${storyOf(error)}`;
  // Whoever it was for: the same words each time are one trouble.
  const told = reason === 'server_refused' ? story.replaceAll(/<[^<>\s]+@[^<>\s]+>/g, '<…>') : story;
  return new MailError(reason, withoutSecrets(told, server));
}

function reasonOf(error: unknown): MailFailure {
  const code = field(error, 'responseCode');
  if (code === '') {
    if (codeOf(error) === TOO_LARGE) return 'too_large';
    return OUR_OWN_FAULT.test(codeOf(error)) ? 'rejected' : 'unavailable';
  }
  if (Number(code) < 500) return 'unavailable';
  const [, status = ''] = STATUS.exec(field(error, 'response')) ?? [];
  const command = field(error, 'command');
  const [, byStatus] = BY_STATUS.find(([form]) => form.test(status)) ?? [];
  const [, , byCommand] =
    BY_COMMAND.find(([commands, codes]) => commands.test(command) && codes.test(code)) ?? [];
  return byStatus ?? byCommand ?? 'server_refused';
}

function storyOf(error: unknown): string {
  const response = field(error, 'response');
  const command = field(error, 'command').replace('CONN', '');
  if (response) return `answered ${command}`.trim() + `: ${shorten(oneLine(response), 200)}`;
  switch (codeOf(error)) {
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'did not answer in time';
    case 'EDNS':
      return 'has a name that cannot be found';
    default:
      return `cannot be used: ${shorten(oneLine(field(error, 'message')), 200)}`;
  }
}

function field(error: unknown, name: 'command' | 'message' | 'response' | 'responseCode'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function withoutSecrets(message: string, { auth }: SmtpServer): string {
  if (!auth?.pass) return message;
  const spellings = [
    auth.pass,
    encodeURIComponent(auth.pass),
    Buffer.from(auth.pass).toString('base64'),
    Buffer.from(`\0${auth.user}\0${auth.pass}`).toString('base64'),
  ];
  return spellings.reduce((words, secret) => words.replaceAll(secret, '***'), message);
}
