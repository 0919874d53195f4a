/** Lists of requests by their filters (rules 6), in order of creation. */
import { countedList } from '../counted-list.js';
import type { RequestStatus } from '../schema.js';
import type { TimeRange } from '../sql.js';
import { pathOf } from './path.js';

/** Null means "any"; an empty list means "none". */
export interface RequestFilter {
  owner: readonly number[] | null;
  status: readonly RequestStatus[] | null;
  equipment: readonly number[] | null;
  createdAt: TimeRange;
}

export const {
  count: countRequests,
  page: listRequests,
  listBefore: listRequestsBefore,
} = countedList('requests', pathOf, ({ owner, equipment }) => owner === null && equipment === null);
