/**
 * Accepts exactly one e-mail address. Mail libraries read a string as a list of addresses with groups and comments,
 * so one user name could name several recipients; anything unusual is refused here.
 */
import { oneLine, shorten } from '../texts/plain.js';

const ADDRESS_LENGTH_MAX = 254;
const NAME_LENGTH_MAX = 100;
const LOCAL = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}$/u;
const DOMAIN = /^(?!-)[\p{L}\p{N}-]{1,63}(\.[\p{L}\p{N}-]{1,63})*$/u;

/** True only for `local@domain` with one @, without brackets, quotes, separators, spaces or control characters. */
export function isMailAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > ADDRESS_LENGTH_MAX) return false;
  const [local, domain, ...rest] = address.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return false;
  return LOCAL.test(local) && DOMAIN.test(domain);
}

export function displayName(name: string): string {
  return shorten(oneLine(name), NAME_LENGTH_MAX);
}

/** The sender of every mail (setting `ESIGN_MAIL_FROM`); its name is also the firm's, unless another setting gives that. */
export interface MailFrom {
  /** The given name, else the domain of the address; never empty. */
  name: string;
  address: string;
}

const NAME_AND_ADDRESS = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^"<>@,;]*?))\s*<([^<>]*)>\s*$/;

/** Reads `Acme Maintenance <contracts@acme.test>` or a bare address. Throws an Error that says how to fix it. */
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
