/** Who may see and do what (rules 6): a user owns things, an administrator sees all. */
import type { Role, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { AppError, notFound } from '../errors.js';

export type { UserRow };

export function isAdmin(user: UserRow): boolean {
  return user.role === 'ROLE_ADMIN';
}

/** The roles as shown in tokens and the API; an administrator is a user too. */
export function rolesOf(user: UserRow): Role[] {
  return isAdmin(user) ? ['ROLE_USER', 'ROLE_ADMIN'] : ['ROLE_USER'];
}

/** Throws `forbidden` for everybody else. */
export function mustBeAdmin(user: UserRow): void {
  if (!isAdmin(user)) throw new AppError('forbidden', 'forbidden', 'Access Denied.');
}

/** True when the user may see what belongs to `ownerId`. What a user may not see is answered like what does not exist. */
export function maySee(user: UserRow, ownerId: number): boolean {
  return isAdmin(user) || user.id === ownerId;
}

/** What this user asked for; throws `not_found` for what is not there, and in the same words for what is somebody else's. */
export function seenBy<Row extends { ownerId: number }>(user: UserRow, row: Row | undefined): Row {
  if (!row || !maySee(user, row.ownerId)) throw notFound('not_found', 'Not Found');
  return row;
}

/** The owner to whom the user's lists are limited; null for all. */
export function ownerScope(user: UserRow): number | null {
  return isAdmin(user) ? null : user.id;
}

export function actorOf(user: UserRow): Actor {
  return { kind: 'user', name: user.username };
}
