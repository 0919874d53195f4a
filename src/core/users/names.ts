/** How a person is named. */
import type { UserRow } from '../../db/schema.js';

type Names = Pick<UserRow, 'firstName' | 'lastName'>;

/** `Ada Lovelace`; empty for a person without a name. */
export function fullName({ firstName, lastName }: Names): string {
  return `${firstName} ${lastName}`.trim();
}

/** The name, or the address of a person without one. */
export function nameOrAddress(user: Names & Pick<UserRow, 'username'>): string {
  return fullName(user) || user.username;
}

/** `Ada Lovelace <ada@example.org>` */
export function nameWithAddress(user: Names & Pick<UserRow, 'username'>): string {
  return `${fullName(user)} <${user.username}>`.trim();
}
