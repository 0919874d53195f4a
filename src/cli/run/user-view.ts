/** A user as commands show it: the fields of the API, never the row. */
import { rolesOf, type UserRow } from '../../core/users/rights.js';

export function userDocument(user: UserRow) {
  const { id, username, firstName, lastName, phone, enabled, createdAt } = user;
  return {
    id,
    username,
    firstName,
    lastName,
    phone,
    roles: rolesOf(user),
    enabled: enabled === 1,
    createdAt,
  };
}
