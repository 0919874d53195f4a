/** Changes of a request (decisions 6): its words and equipment by those who may see it, its status by an administrator. */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findEquipment } from '../../db/equipments.js';
import { moveRequest, setRequestWords, type RequestWords } from '../../db/requests.js';
import type { ContractRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, invalid } from '../errors.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import type { Given } from '../input.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { mustNotBeLocked, requestLock } from '../lock.js';
import type { Precondition } from '../precondition.js';
import { takeBack } from '../signature/take-back.js';
import { actorOf, isAdmin, maySee } from '../users/rights.js';
import { getRequestOf, type RequestView } from './requests.js';

export type RequestChange = Given<RequestWords> & {
  /** Ignored unless an administrator says it. */
  status?: RequestStatus | undefined;
};

/**
 * The request as it is then. Nothing is changed when a part of the change is not possible: words of a contract that has
 * been sent, a status that cannot follow, an equipment of somebody else. Leaving all as it is changes nothing. Words that
 * were perhaps sent are changed when the provider says that they were not.
 */
export async function changeRequest(
  ctx: Context,
  user: UserRow,
  id: number,
  change: RequestChange,
  precondition?: Precondition<RequestView>,
): Promise<RequestView> {
  const act = (db: Db): RequestView => {
    const now = iso(ctx.clock.now());
    const before = getRequestOf({ db }, user, id);
    precondition?.(before);
    const { request } = before;
    const isReworded = reword(ctx, db, user, request, { change, now });
    const isMoved = isAdmin(user) && moveByHand(db, user, request, { to: change.status, now });
    const changed = getRequestOf({ db }, user, id);
    if (isReworded || isMoved) publishEvent(db, { event: 'request.updated', about: changed.request, now });
    return changed;
  };
  try {
    return await ctx.writer.write(act);
  } catch (error) {
    if (!(error instanceof PerhapsSentError)) throw error;
    await takeBack(ctx, error.contract, actorOf(user));
    return ctx.writer.write(act);
  }
}

/** Its start was interrupted after it had asked the provider to send the contract. */
class PerhapsSentError extends AppError {
  readonly contract: ContractRow;

  constructor(contract: ContractRow, fields: Record<string, string>) {
    const message = 'This cannot be changed now: the contract may be with the customer.';
    super('refused', 'cannot_be_changed', message, { fields });
    this.contract = contract;
  }
}

/** False: nothing is different. */
function reword(
  ctx: Context,
  db: Db,
  user: UserRow,
  request: RequestRow,
  { change, now }: { change: RequestChange; now: string },
): boolean {
  const words = {
    title: change.title ?? request.title,
    description: change.description ?? request.description,
    equipmentId: change.equipmentId ?? request.equipmentId,
  };
  const changed = WORDS.filter((name) => words[name] !== request[name]);
  if (changed.length === 0) return false;
  mustBeFree(ctx, db, request, changed);
  if (changed.includes('equipmentId')) mustFit(db, user, request, words.equipmentId);
  setRequestWords(db, { id: request.id, ...words, now });
  record(db, {
    at: now,
    actor: actorOf(user),
    what: 'request.changed',
    requestId: request.id,
    detail: { fields: changed.map(shownName) },
  });
  return true;
}

const WORDS = ['title', 'description', 'equipmentId'] as const satisfies (keyof RequestWords)[];

function shownName(name: (typeof WORDS)[number]): string {
  return name === 'equipmentId' ? 'equipment' : name;
}

/** What a contract says to the customer must stay what the request says; the payment page repeats it, too. */
function mustBeFree(
  ctx: Context,
  db: Db,
  request: RequestRow,
  changed: readonly (typeof WORDS)[number][],
): void {
  const message = 'This cannot be changed any more: the contract of the request has been sent.';
  const fields = Object.fromEntries(changed.map((name) => [shownName(name), message]));
  if (!isBeforeSending(request)) throw new AppError('refused', 'cannot_be_changed', message, { fields });
  // A start is making the contract of them.
  mustNotBeLocked(ctx, db, requestLock(request.id));
  const contract = findCurrentContract(db, request.id);
  const isPerhapsSent = contract?.status === 'PENDING' && contract.activationAskedAt !== null;
  if (isPerhapsSent) throw new PerhapsSentError(contract, fields);
}

function mustFit(db: Db, user: UserRow, request: RequestRow, equipmentId: number): void {
  const equipment = findEquipment(db, equipmentId);
  if (!equipment || !maySee(user, equipment.ownerId)) {
    throw invalid({ equipment: 'There is no such equipment.' });
  }
  if (equipment.ownerId !== request.ownerId) {
    throw invalid({ equipment: 'This equipment belongs to another customer.' });
  }
}

/** False: it is in that status already, or none was asked for. */
function moveByHand(
  db: Db,
  user: UserRow,
  request: RequestRow,
  { to, now }: { to: RequestStatus | undefined; now: string },
): boolean {
  if (to === undefined || to === request.status) return false;
  const { begun } = REQUEST_MOVES;
  if (to !== begun.to || !moveRequest(db, request.id, begun, now)) {
    const message = `The status cannot be changed from ${request.status} to ${to} in this way.`;
    throw new AppError('refused', 'cannot_be_changed', message, { fields: { status: message } });
  }
  record(db, {
    at: now,
    actor: actorOf(user),
    what: 'request.moved',
    requestId: request.id,
    detail: { from: request.status, to },
  });
  return true;
}
