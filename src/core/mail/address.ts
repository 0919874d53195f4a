/**
 * One e-mail address, and nothing else. Mail libraries read a string as a list of addresses with groups and
 * comments, so one user name could name several recipients; here anything unusual is refused instead.
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

/** A display name in one line of at most 100 characters, without control characters. */
export function displayName(name: string): string {
  return shorten(oneLine(name), NAME_LENGTH_MAX);
}
