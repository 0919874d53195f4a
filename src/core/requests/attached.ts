/** Offers and troubleshootings are visible to the request's owner and to administrators. */
import type { AttachedFilter } from '../../db/requests/attached-lists.js';
import type { Db } from '../../db/db.js';
import { findRequest } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { invalid } from '../errors.js';
import type { Order, PageOf } from '../calls/listing.js';
import { maySee } from '../users/rights.js';

/** What a caller may ask for; ownership is not among it. */
export interface AttachedAsked<Status extends string> extends PageOf {
  filter: Omit<AttachedFilter<Status>, 'ownerId'>;
  /** Oldest first by default. */
  order?: Order<'createdAt'> | undefined;
}

/** The request that a new item is about; throws `invalid` for one that the user cannot see. */
export function requestNamed(db: Db, user: UserRow, id: number): RequestRow {
  const request = findRequest(db, { id });
  if (!request || !maySee(user, request.ownerId)) throw invalid({ request: 'There is no such request.' });
  return request;
}
