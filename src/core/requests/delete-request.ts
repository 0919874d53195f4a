/** Deletes a request that was never sent for signature (rules 6). Only its history stays. */
import { rm } from 'node:fs/promises';
import { deleteContractsOf, findCurrentContract } from '../../db/contracts/contracts.js';
import { detachInboxEvents } from '../../db/inbox/inbox.js';
import { deleteJobsOf } from '../../db/jobs/jobs.js';
import { deleteRequestRow } from '../../db/requests/requests.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import { change, type Change } from '../change.js';
import { draftPdfPath } from '../contracts/contract-files.js';
import { refused } from '../errors.js';
import { ofRequest } from '../history/history.js';
import { isBeforeSending } from '../lifecycle.js';
import { mustNotBeLocked, requestLock, withLock } from '../lock.js';
import { ourPayments } from '../payment/our-payments.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { deliveryJob } from '../webhooks/delivery-job.js';
import { throwRefusal } from '../http/refusal.js';
import type { DeleteOne, Precondition } from '../calls/owned.js';
import { actorOf } from '../users/rights.js';
import { renewalRemoved } from './renew-request.js';
import { getRequestOf, type RequestView } from './requests.js';

/**
 * Refuses with `cannot_be_changed` once the contract has been sent, or has a payment (its start was forgotten here), and with `in_progress` while it is being sent.
 * After an interrupted start the signature request is closed at the provider first; if that fails, nothing changes.
 */
export const deleteRequest: DeleteOne<RequestView> = async (ctx, user, id, precondition) => {
  const by = { actor: actorOf(user) };
  const wanted = { user, id, precondition };
  const begun = await change(ctx, by, (tx) => {
    mustNotBeLocked(ctx, tx.db, requestLock(id));
    return removeUnlessBegun(tx, wanted);
  });
  if (!begun) return;
  const contractIds = await withLock(ctx, requestLock(id), async (ctx) => {
    await closeAtProvider(ctx, begun, by).catch(throwRefusal);
    return change(ctx, by, (tx) => remove(tx, wanted));
  });
  for (const contractId of contractIds) await rm(draftPdfPath(ctx, contractId), { force: true });
};

interface Wanted {
  user: UserRow;
  id: number;
  precondition: Precondition<RequestView> | undefined;
}

/** The contract that must be closed at the provider first, if any. */
function removeUnlessBegun(tx: Change, wanted: Wanted): ContractRow | undefined {
  mustBeOpen(tx, wanted);
  const contract = findCurrentContract(tx.db, { requestId: wanted.id });
  if (!contract) remove(tx, wanted);
  return contract;
}

function mustBeOpen({ db }: Change, { user, id, precondition }: Wanted) {
  const view = getRequestOf({ db }, user, id);
  precondition?.(view);
  const { request } = view;
  const { contracts, payments } = ourPayments(db, id);
  const wasSent = contracts.some(({ sending }) => sending === 'sent') || payments.length > 0;
  if (isBeforeSending(request) && !wasSent) return request;
  throw refused(
    'cannot_be_changed',
    'A request cannot be removed once its contract has been sent or its payment has begun; the office can cancel it.',
  );
}

/** Returns the ids of its deleted contracts. */
function remove(tx: Change, wanted: Wanted): number[] {
  const { db } = tx;
  const { id } = wanted;
  const request = mustBeOpen(tx, wanted);
  const { reference, title, ownerId } = request;
  deleteJobsOf(db, { requestIds: [id], except: deliveryJob.name });
  detachInboxEvents(db, { requestId: id });
  const contractIds = deleteContractsOf(db, { requestId: id }).map((row) => row.id);
  deleteRequestRow(db, { id });
  renewalRemoved(tx, request);
  tx.record('request.deleted', ofRequest(id), { reference, title, userId: ownerId });
  return contractIds;
}
