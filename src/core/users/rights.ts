/** Who may see and do what (decisions 6): a user owns things, an administrator sees all. */
import type { Role, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';

export type { UserRow };

export function isAdmin(user: UserRow): boolean {
  return user.role === 'ROLE_ADMIN';
}

/** The roles as tokens and the API show them; an administrator is a user too. */
export function rolesOf(user: UserRow): Role[] {
  return isAdmin(user) ? ['ROLE_USER', 'ROLE_ADMIN'] : ['ROLE_USER'];
}

/** Throws `forbidden` for everybody else. */
export function mustBeAdmin(user: UserRow): void {
  if (!isAdmin(user)) throw new AppError('forbidden', 'forbidden', 'Access Denied.');
}

/** True when the user may see what belongs to `ownerId`; what it may not see is answered like what is not there. */
export function maySee(user: UserRow, ownerId: number): boolean {
  return isAdmin(user) || user.id === ownerId;
}

/** The owner that lists of this user are narrowed to; null: all owners. */
export function ownerScope(user: UserRow): number | null {
  return isAdmin(user) ? null : user.id;
}

export function actorOf(user: UserRow): Actor {
  return { kind: 'user', name: user.username };
}
