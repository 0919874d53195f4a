/** One request by its id, whoever asks; what a user may see is decided in requests.ts. */
import { findRequest } from '../../db/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';

/** Throws `request_not_found` when there is none. */
export function getRequest(ctx: Context, id: number): RequestRow {
  const request = findRequest(ctx.db, id);
  if (!request) throw notFound('request_not_found', 'There is no request with this number.');
  return request;
}
