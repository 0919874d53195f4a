/** Whose something is, for lists. */
import type { Db } from '../../db/db.js';
import { listCustomersOf } from '../../db/requests/requests.js';
import { nameOrAddress } from '../users/names.js';

interface OfRequest {
  requestId: number;
}

/** The names of the customers of all these rows, read at once. */
export function customerNames(db: Db, rows: readonly OfRequest[]): (row: OfRequest) => string {
  const requestIds = [...new Set(rows.map(({ requestId }) => requestId))];
  const names = new Map(
    listCustomersOf(db, { requestIds }).map(({ id, ...user }) => [id, nameOrAddress(user)]),
  );
  return ({ requestId }) => names.get(requestId) ?? '';
}
