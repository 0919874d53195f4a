/** One request by its id, whoever asks; what a user may see is decided in requests.ts. */
import { findRequest } from '../../db/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Data } from '../data.js';
import { notFound } from '../errors.js';

/** Throws `request_not_found` when there is none. */
export function getRequest(ctx: Data, id: number): RequestRow {
  const request = findRequest(ctx.db, id);
  if (!request) throw notFound('request_not_found', 'There is no request with this number.');
  return request;
}
