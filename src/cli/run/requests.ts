/** The request that an argument names. */
import type { Data } from '../../core/data.js';
import { notFound } from '../../core/errors.js';
import { getRequest } from '../../core/requests/get-request.js';
import type { RequestArgument } from '../options.js';

/** Throws `request_not_found`, also for a reference whose number exists under another year. */
export function findRequest(ctx: Data, { id, year }: RequestArgument) {
  const request = getRequest(ctx, id);
  if (year !== undefined && !request.reference.startsWith(`REQ-${year}-`)) {
    throw notFound('request_not_found', `There is no such reference; request ${id} is ${request.reference}.`);
  }
  return request;
}
