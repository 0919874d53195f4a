/** Removal of a request that was never sent for signature (decisions 6). Its history stays; nothing else of it does. */
import { rm } from 'node:fs/promises';
import { deleteContractsOf, findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { detachInboxEvents } from '../../db/inbox.js';
import { deleteJobsOf } from '../../db/jobs.js';
import { deleteRequestRow } from '../../db/requests.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { draftPdfPath } from '../contracts/contract-files.js';
import { refused } from '../errors.js';
import { record } from '../history.js';
import { mustNotBeLocked, requestLock, withLock } from '../lock.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { unavailable } from '../signature/start-signature.js';
import { actorOf } from '../users/rights.js';
import { getRequestOf } from './requests.js';

/**
 * Refuses with `cannot_be_changed` once the contract has been sent, with `in_progress` while it is being sent. A start
 * that stopped half-way may be known to the provider: it is closed there first, or nothing changes.
 */
export async function deleteRequest(ctx: Context, user: UserRow, id: number): Promise<void> {
  const begun = await ctx.writer.write((db) => {
    mustNotBeLocked(ctx, db, requestLock(id));
    return removeUnlessBegun(ctx, db, user, id);
  });
  if (!begun) return;
  const contractIds = await withLock(ctx, requestLock(id), async () => {
    await close(ctx, begun);
    return ctx.writer.write((db) => remove(ctx, db, user, id));
  });
  for (const contractId of contractIds) await rm(draftPdfPath(ctx, contractId), { force: true });
}

/** The contract that keeps it from being removed at once, if there is one. */
function removeUnlessBegun(ctx: Context, db: Db, user: UserRow, id: number): ContractRow | undefined {
  mustBeOpen(db, user, id);
  const contract = findCurrentContract(db, id);
  if (!contract) remove(ctx, db, user, id);
  return contract;
}

function mustBeOpen(db: Db, user: UserRow, id: number) {
  const { request } = getRequestOf({ db }, user, id);
  if (request.status === 'new' || request.status === 'in_progress') return request;
  throw refused('cannot_be_changed', 'A request cannot be removed once its contract has been sent.');
}

/** The ids of the contracts that went with it. */
function remove(ctx: Context, db: Db, user: UserRow, id: number): number[] {
  const { reference, title } = mustBeOpen(db, user, id);
  deleteJobsOf(db, id, { except: 'deliver-webhook' });
  detachInboxEvents(db, id);
  const contractIds = deleteContractsOf(db, id);
  deleteRequestRow(db, id);
  record(db, {
    at: iso(ctx.clock.now()),
    actor: actorOf(user),
    what: 'request.deleted',
    requestId: id,
    detail: { reference, title },
  });
  return contractIds;
}

async function close(ctx: Context, contract: ContractRow): Promise<void> {
  try {
    await closeAtProvider(ctx, contract);
  } catch (error) {
    throw unavailable(error);
  }
}
