/** Reopens a canceled request (rules 2): it is new again. Its contract stays expired; a start makes the next one. */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { requireRequest, setPayToken } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { mustHaveReason } from '../calls/reason.js';
import { change, type Deciding } from '../change.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { mustNotBeErased } from '../users/users.js';
import { dropCancelNotice } from './cancel-request.js';
import { getRequest } from './requests.js';

/**
 * Returns the reopened request. Refuses with `not_canceled`, also the second of two calls, and with `user_erased`; throws
 * `invalid` without a reason.
 */
export async function reopenRequest(
  ctx: Context,
  requestId: number,
  { reason, dryRun = false, actor }: Deciding,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  mustHaveReason(reason);
  if (request.status !== 'CANCELED') throw notCanceled();
  mustNotBeErased(requireUser(ctx.db, { id: request.ownerId }));
  if (dryRun) return request;
  return change(ctx, { actor, reason }, (tx) => {
    const fresh = requireRequest(tx.db, { id: requestId });
    mustNotBeErased(requireUser(tx.db, { id: fresh.ownerId }));
    dropCancelNotice(tx, requestId);
    const contractId = findCurrentContract(tx.db, { requestId })?.id ?? null;
    if (!tx.moveRequest(fresh, REQUEST_MOVES.reopened, { contractId, reason })) throw notCanceled();
    // The link to pay was that of another contract: the next one gets its own.
    setPayToken(tx.db, { id: requestId, payToken: null });
    return requireRequest(tx.db, { id: requestId });
  });
}

function notCanceled() {
  return refused('not_canceled', 'The request is not canceled, so there is nothing to reopen.');
}
