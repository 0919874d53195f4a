/** Removal of a request that was never sent for signature (decisions 6). Its history stays; nothing else of it does. */
import { rm } from 'node:fs/promises';
import { deleteContractsOf, findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { detachInboxEvents } from '../../db/inbox.js';
import { deleteJobsOf } from '../../db/jobs.js';
import { deleteRequestRow } from '../../db/requests.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { draftPdfPath } from '../contracts/contract-files.js';
import { refused } from '../errors.js';
import { record } from '../history.js';
import type { Precondition } from '../precondition.js';
import { mustNotBeLocked, requestLock, withLock } from '../lock.js';
import { closeAtProvider } from '../signature/close-at-provider.js';
import { unavailable } from '../signature/start-signature.js';
import { actorOf } from '../users/rights.js';
import { getRequestOf, type RequestView } from './requests.js';

/**
 * Refuses with `cannot_be_changed` once the contract has been sent, with `in_progress` while it is being sent. A start
 * that stopped half-way may be known to the provider: it is closed there first, or nothing changes.
 */
export async function deleteRequest(
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<RequestView>,
): Promise<void> {
  const wanted = { user, id, precondition };
  const begun = await ctx.writer.write((db) => {
    mustNotBeLocked(ctx, db, requestLock(id));
    return removeUnlessBegun(ctx, db, wanted);
  });
  if (!begun) return;
  const contractIds = await withLock(ctx, requestLock(id), async () => {
    await close(ctx, begun, actorOf(user));
    return ctx.writer.write((db) => remove(ctx, db, wanted));
  });
  for (const contractId of contractIds) await rm(draftPdfPath(ctx, contractId), { force: true });
}

interface Wanted {
  user: UserRow;
  id: number;
  precondition: Precondition<RequestView> | undefined;
}

/** The contract that keeps it from being removed at once, if there is one. */
function removeUnlessBegun(ctx: Context, db: Db, wanted: Wanted): ContractRow | undefined {
  mustBeOpen(db, wanted);
  const contract = findCurrentContract(db, wanted.id);
  if (!contract) remove(ctx, db, wanted);
  return contract;
}

function mustBeOpen(db: Db, { user, id, precondition }: Wanted) {
  const view = getRequestOf({ db }, user, id);
  precondition?.(view);
  const { request } = view;
  if (request.status === 'new' || request.status === 'in_progress') return request;
  throw refused('cannot_be_changed', 'A request cannot be removed once its contract has been sent.');
}

/** The ids of the contracts that went with it. */
function remove(ctx: Context, db: Db, wanted: Wanted): number[] {
  const { user, id } = wanted;
  const { reference, title } = mustBeOpen(db, wanted);
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

async function close(ctx: Context, contract: ContractRow, actor: Actor): Promise<void> {
  try {
    await closeAtProvider(ctx, contract, { actor });
  } catch (error) {
    throw unavailable(error);
  }
}
