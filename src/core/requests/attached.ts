/** Offers and troubleshootings are visible to the request's owner and to administrators. */
import type { Db } from '../../db/db.js';
import { findRequest } from '../../db/requests/requests.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { invalid } from '../errors.js';
import { maySee } from '../users/rights.js';

/** The request that a new item is about; throws `invalid` for one that the user cannot see. */
export function requestNamed(db: Db, user: UserRow, id: number): RequestRow {
  const request = findRequest(db, { id });
  if (!request || !maySee(user, request.ownerId)) throw invalid({ request: 'There is no such request.' });
  return request;
}
