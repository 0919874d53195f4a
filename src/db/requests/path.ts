/** Which index a filter of requests goes through. */
import { COUNTED } from '../counts.js';
import type { Path } from '../paths.js';
import type { RequestFilter } from './lists.js';

/** Undefined: nothing matches. */
export function pathOf({ owner, status, equipment }: RequestFilter): Path | undefined {
  if ([owner, status, equipment].some((list) => list?.length === 0)) return undefined;
  const byStatus = status && { status };
  if (equipment) {
    const also = { ...(owner && { ownerId: owner }), ...byStatus };
    return { first: { is: '"equipmentId"', oneOf: equipment }, also };
  }
  if (owner) return { first: { is: '"ownerId"', oneOf: owner }, also: { ...byStatus } };
  return { first: status && { is: COUNTED.requests.status, oneOf: status }, also: {} };
}
