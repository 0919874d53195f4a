/**
 * Changes of a request (rules 6): title, description and equipment by anybody who may see it, its status by an
 * administrator.
 */
import { z } from 'zod';
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findEquipment } from '../../db/equipments/equipments.js';
import { requireRequest, setRequestWords, type RequestWords } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import { attempt, change, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { ofRequest } from '../history/history.js';
import { parseInput, type Given } from '../calls/input.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { payable } from '../payment/price.js';
import { priceRequest } from '../prices/request-price.js';
import { typedMoney } from '../prices/typed-money.js';
import { mustNotBeLocked, requestLock } from '../lock.js';
import { withdraw } from '../signature/close-at-provider.js';
import type { ChangeOne } from '../calls/owned.js';
import { actorOf, isAdmin, maySee } from '../users/rights.js';
import { noEquipment, othersEquipment, REQUEST_WORDS } from './enter-request.js';
import { getRequestOf, mustNotBeCanceled, type RequestView } from './requests.js';

export type RequestChange = Given<RequestWords> & {
  /** Ignored unless an administrator sets it. */
  status?: RequestStatus | undefined;
  /** So too: its own price in minor units, of which null takes it away. */
  amount?: number | null | undefined;
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
  const { status, amount, equipmentId, ...words } = wanted;
  return unlessSent(ctx, { actor: actorOf(user) }, (tx) => {
    const before = getRequestOf(tx, user, id);
    precondition?.(before);
    if (equipmentId !== undefined) mustBeSeen(tx.db, user, equipmentId);
    const isPriced = isAdmin(user) && !isOfContract(before, amount);
    reword(ctx, tx, before.request, { ...words, equipmentId, ...(isPriced && { amount }) });
    if (isAdmin(user)) moveByHand(tx, before.request, status);
    return getRequestOf(tx, user, id);
  });
};

/** As the contract was sent: who writes back what was read changes no price. */
function isOfContract({ request, contract }: RequestView, amount: RequestChange['amount']): boolean {
  return !isBeforeSending(request) && amount === contract?.amount;
}

/** At the command line and on pages. */
export function editRequest(
  ctx: Context,
  id: number,
  { equipmentId, ...typed }: Given<RequestWords> & { amount?: string | null | undefined },
  by: Try,
): Promise<RequestRow> {
  const fields = { ...REQUEST_WORDS, amount: typedMoney(ctx.config).nullable() };
  const words = parseInput(z.object(fields).partial(), typed);
  return unlessSent(ctx, by, (tx) => {
    reword(ctx, tx, requireRequest(tx.db, { id }), { ...words, equipmentId });
    return requireRequest(tx.db, { id });
  });
}

async function unlessSent<T>(ctx: Context, { dryRun, ...by }: Try, act: (tx: Change) => T): Promise<T> {
  try {
    return await attempt(ctx, { dryRun, ...by }, act);
  } catch (error) {
    if (!(error instanceof PerhapsSentError) || dryRun) throw error;
    await withdraw(ctx, error.contract, by);
    return change(ctx, by, act);
  }
}

/** The start was interrupted after asking the provider to send the contract. */
class PerhapsSentError extends AppError {
  readonly contract: ContractRow;

  constructor(contract: ContractRow, fields: Record<string, string>) {
    const message = 'This cannot be changed now: the contract may be with the customer.';
    super('refused', 'cannot_be_changed', message, { fields });
    this.contract = contract;
  }
}

function reword(ctx: Context, tx: Change, request: RequestRow, wanted: RequestChange): void {
  const { db, now } = tx;
  const words = {
    title: wanted.title ?? request.title,
    description: wanted.description ?? request.description,
    equipmentId: wanted.equipmentId ?? request.equipmentId,
  };
  const { amount = request.amount } = wanted;
  const { currency } = amount === request.amount ? request : ctx.config;
  const changed = WORDS.filter((name) => words[name] !== request[name]);
  const all = [...changed.map(shownName), ...(amount === request.amount ? [] : ['amount'])];
  if (all.length === 0) return;
  mustBeFree(ctx, db, request, all);
  if (changed.includes('equipmentId')) mustFit(db, request, words.equipmentId);
  if (changed.length > 0) {
    setRequestWords(db, { id: request.id, ...words, now });
    const fields = changed.map(shownName);
    tx.record('request.changed', ofRequest(request.id), { fields, reason: tx.reason });
  }
  priceRequest(
    tx,
    request.id,
    amount === null || currency === null ? null : payable({ amount, currency }, ctx.config.locale),
  );
  tx.publish('request.updated', request);
}

const WORDS = ['title', 'description', 'equipmentId'] as const satisfies (keyof RequestWords)[];

function shownName(name: (typeof WORDS)[number]): string {
  return name === 'equipmentId' ? 'equipment' : name;
}

/** Contract and request must say the same to the customer; the payment page repeats it. */
function mustBeFree(ctx: Context, db: Db, request: RequestRow, changed: readonly string[]): void {
  mustNotBeCanceled(request);
  const message = 'This can no longer be changed: the contract of the request has been sent.';
  const fields = Object.fromEntries(changed.map((name) => [name, message]));
  if (!isBeforeSending(request)) throw new AppError('refused', 'cannot_be_changed', message, { fields });
  // A start is using them for the contract.
  mustNotBeLocked(ctx, db, requestLock(request.id));
  const contract = findCurrentContract(db, { requestId: request.id });
  const isPerhapsSent = contract?.status === 'PENDING' && contract.sending !== 'unsent';
  if (isPerhapsSent) throw new PerhapsSentError(contract, fields);
}

function mustFit(db: Db, request: RequestRow, equipmentId: number): void {
  const equipment = findEquipment(db, { id: equipmentId });
  if (!equipment) throw noEquipment();
  if (equipment.ownerId !== request.ownerId) throw othersEquipment();
}

/** Somebody else's is as good as none. */
function mustBeSeen(db: Db, user: UserRow, equipmentId: number): void {
  const equipment = findEquipment(db, { id: equipmentId });
  if (!equipment || !maySee(user, equipment.ownerId)) throw noEquipment();
}

function moveByHand(tx: Change, request: RequestRow, to: RequestStatus | undefined): void {
  if (to === undefined || to === request.status) return;
  const { begun } = REQUEST_MOVES;
  if (to === begun.to && tx.moveRequest(request, begun)) return;
  const message = `The status cannot be changed from ${request.status} to ${to} in this way.`;
  throw new AppError('refused', 'cannot_be_changed', message, { fields: { status: message } });
}
