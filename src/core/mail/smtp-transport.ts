/** Mail over SMTP. Each mail gets its own connection, so a connection that died while idle is never reused. */
import type { Transporter } from 'nodemailer';
import { MailError } from './mail-error.js';
import { composeMessage } from './message.js';
import { mailErrorOf } from './smtp-error.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';
import type { MailTransport, MailTransportOptions } from './transport.js';

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
