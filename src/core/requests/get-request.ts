/** One request by its id, for use-cases that act on it whoever owns it. */
import { findRequest } from '../../db/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';

/** Throws `request_not_found`. */
export function getRequest(ctx: Context, id: number): RequestRow {
  const request = findRequest(ctx.db, id);
  if (!request) throw notFound('request_not_found', `There is no request ${id}.`);
  return request;
}
