import type { MailTransport, MailTransportOptions } from './transport.js';

export function openFolderTransport(options: MailTransportOptions): MailTransport {
  throw new Error(`${options.from.address} cannot send yet`);
}
