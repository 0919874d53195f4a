/**
 * `page` and `itemsPerPage` (rules 11): 30 by default, 100 at most, 0 for the count alone; numbers are parsed as in
 * PHP.
 */
import type { PageOf } from '../../core/calls/listing.js';
import { HttpError } from '../http/errors.js';
import type { QueryMap } from '../http/query.js';

const PER_PAGE_DEFAULT = 30;
const PER_PAGE_MAX = 100;

export interface Pagination extends PageOf {
  page: number;
}

/** Throws 400 for an impossible page or size. */
export function parsePagination(query: QueryMap): Pagination {
  const wanted = integer(query, 'itemsPerPage', PER_PAGE_DEFAULT);
  if (wanted < 0) throw new HttpError(400, 'Limit should not be less than 0');
  const page = integer(query, 'page', 1);
  if (page < 1) throw new HttpError(400, 'Page should not be less than 1');
  if (wanted === 0 && page > 1) {
    throw new HttpError(400, 'Page should not be greater than 1 if limit is equal to 0');
  }
  const limit = Math.min(wanted, PER_PAGE_MAX);
  const offset = (page - 1) * limit;
  if (!Number.isSafeInteger(page) || !Number.isSafeInteger(offset)) {
    throw new HttpError(400, 'Page parameter is too large.');
  }
  return { page, limit, offset };
}

/** `2x` is 2, `abc` is 0; an empty value is ignored. */
function integer(query: QueryMap, name: string, byDefault: number): number {
  const value = query[name];
  if (value === undefined || value === '') return byDefault;
  if (typeof value !== 'string') return 0;
  return Number(/^\s*([+-]?\d+)/.exec(value)?.[1] ?? 0);
}

/** The number of the last page; 1 for a list that is empty or only counted. */
export function lastPage(total: number, limit: number): number {
  return limit === 0 ? 1 : Math.max(1, Math.ceil(total / limit));
}
