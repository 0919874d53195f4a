import type { MailTransport, MailTransportOptions } from './transport.js';

export function openSmtpTransport(options: MailTransportOptions): MailTransport {
  throw new Error(`${options.from.address} cannot send yet`);
}
