/**
 * Changes of a request (rules 6): title, description and equipment by anybody who may see it, its status by an
 * administrator.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findEquipment } from '../../db/equipments/equipments.js';
import { setRequestWords, type RequestWords } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError, invalid } from '../errors.js';
import { ofRequest } from '../history/history.js';
import type { Given } from '../calls/input.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { mustNotBeLocked, requestLock } from '../lock.js';
import { withdraw } from '../signature/close-at-provider.js';
import type { ChangeOne } from '../calls/owned.js';
import { actorOf, isAdmin, maySee } from '../users/rights.js';
import { getRequestOf, type RequestView } from './requests.js';

export type RequestChange = Given<RequestWords> & {
  /** Ignored unless an administrator sets it. */
  status?: RequestStatus | undefined;
};

/**
 * Returns the changed request. All or nothing: text of a sent contract, an impossible move and somebody else's
 * equipment are refused. If the contract may have been sent, the provider is asked first and the text changes only if
 * it was not.
 */
export const changeRequest: ChangeOne<RequestView, RequestChange> = async (
  ctx,
  user,
  id,
  wanted,
  precondition,
) => {
  const by = { actor: actorOf(user) };
  const act = (tx: Change): RequestView => {
    const before = getRequestOf(tx, user, id);
    precondition?.(before);
    reword(ctx, tx, user, before.request, wanted);
    if (isAdmin(user)) moveByHand(tx, before.request, wanted.status);
    return getRequestOf(tx, user, id);
  };
  try {
    return await change(ctx, by, act);
  } catch (error) {
    if (!(error instanceof PerhapsSentError)) throw error;
    await withdraw(ctx, error.contract, by);
    return change(ctx, by, act);
  }
};

/** The start was interrupted after asking the provider to send the contract. */
class PerhapsSentError extends AppError {
  readonly contract: ContractRow;

  constructor(contract: ContractRow, fields: Record<string, string>) {
    const message = 'This cannot be changed now: the contract may be with the customer.';
    super('refused', 'cannot_be_changed', message, { fields });
    this.contract = contract;
  }
}

function reword(ctx: Context, tx: Change, user: UserRow, request: RequestRow, wanted: RequestChange): void {
  const { db, now } = tx;
  const words = {
    title: wanted.title ?? request.title,
    description: wanted.description ?? request.description,
    equipmentId: wanted.equipmentId ?? request.equipmentId,
  };
  const changed = WORDS.filter((name) => words[name] !== request[name]);
  if (changed.length === 0) return;
  mustBeFree(ctx, db, request, changed);
  if (changed.includes('equipmentId')) mustFit(db, user, request, words.equipmentId);
  setRequestWords(db, { id: request.id, ...words, now });
  tx.record('request.changed', ofRequest(request.id), { fields: changed.map(shownName) });
  tx.publish('request.updated', request);
}

const WORDS = ['title', 'description', 'equipmentId'] as const satisfies (keyof RequestWords)[];

function shownName(name: (typeof WORDS)[number]): string {
  return name === 'equipmentId' ? 'equipment' : name;
}

/** Contract and request must say the same to the customer; the payment page repeats it. */
function mustBeFree(
  ctx: Context,
  db: Db,
  request: RequestRow,
  changed: readonly (typeof WORDS)[number][],
): void {
  const message = 'This can no longer be changed: the contract of the request has been sent.';
  const fields = Object.fromEntries(changed.map((name) => [shownName(name), message]));
  if (!isBeforeSending(request)) throw new AppError('refused', 'cannot_be_changed', message, { fields });
  // A start is using them for the contract.
  mustNotBeLocked(ctx, db, requestLock(request.id));
  const contract = findCurrentContract(db, { requestId: request.id });
  const isPerhapsSent = contract?.status === 'PENDING' && contract.sending !== 'unsent';
  if (isPerhapsSent) throw new PerhapsSentError(contract, fields);
}

function mustFit(db: Db, user: UserRow, request: RequestRow, equipmentId: number): void {
  const equipment = findEquipment(db, { id: equipmentId });
  if (!equipment || !maySee(user, equipment.ownerId)) {
    throw invalid({ equipment: 'There is no such equipment.' });
  }
  if (equipment.ownerId !== request.ownerId) {
    throw invalid({ equipment: 'This equipment belongs to another customer.' });
  }
}

function moveByHand(tx: Change, request: RequestRow, to: RequestStatus | undefined): void {
  if (to === undefined || to === request.status) return;
  const { begun } = REQUEST_MOVES;
  if (to === begun.to && tx.moveRequest(request, begun)) return;
  const message = `The status cannot be changed from ${request.status} to ${to} in this way.`;
  throw new AppError('refused', 'cannot_be_changed', message, { fields: { status: message } });
}
