/** What hangs on requests is seen with its request: by the owner of that and by administrators. */
import type { AttachedFilter } from '../../db/attached-lists.js';
import type { Db } from '../../db/db.js';
import { findRequest } from '../../db/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { invalid, notFound } from '../errors.js';
import type { Order, PageOf } from '../listing.js';
import { maySee } from '../users/rights.js';

/** What a caller may ask for; whose it gets is not its choice. */
export interface AttachedAsked<Status extends string> extends PageOf {
  filter: Omit<AttachedFilter<Status>, 'ownerId'>;
  /** Oldest first when it names none. */
  order?: Order<'createdAt'> | undefined;
}

/** The request that something new is about; throws `invalid` for one that this user cannot see. */
export function requestNamed(db: Db, user: UserRow, id: number): RequestRow {
  const request = findRequest(db, id);
  if (!request || !maySee(user, request.ownerId)) throw invalid({ request: 'There is no such request.' });
  return request;
}

/** Throws `not_found` for what is not there, and for what belongs to somebody else. */
export function seenBy<Row extends { ownerId: number }>(user: UserRow, row: Row | undefined): Row {
  if (!row || !maySee(user, row.ownerId)) throw notFound('not_found', 'Not Found');
  return row;
}
