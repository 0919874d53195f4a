/** The sender of every mail (setting `ESIGN_MAIL_FROM`); its name is also the firm's name in contracts and mails. */
import { displayName, isMailAddress } from './address.js';

export interface MailFrom {
  /** The name that was given, else the domain of the address: never empty. */
  name: string;
  address: string;
}

const NAME_AND_ADDRESS = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^"<>@,;]*?))\s*<([^<>]*)>\s*$/;

/** Reads `Acme Maintenance <contracts@acme.test>` or a bare address. Throws an Error that says how to mend it. */
export function parseMailFrom(value: string): MailFrom {
  const [, quoted, plain, bracketed] = NAME_AND_ADDRESS.exec(value) ?? [];
  const address = bracketed ?? value.trim();
  if (/\p{Cc}/u.test(value) || !isMailAddress(address)) {
    throw new Error(
      'is not one mail address, such as "Acme Maintenance <contracts@acme.test>" or contracts@acme.test',
    );
  }
  const name = displayName(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
  return { name: name || address.slice(address.indexOf('@') + 1), address };
}
