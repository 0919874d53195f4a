/** Settles a request's case (rules 2): a person has dealt with the signature or payment that does not count. */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { decideCase, openCasesOf } from '../cases/cases.js';
import { change, type By, type Change } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { BLANK, invalid, refused, type AppError } from '../errors.js';
import { historyOf, ofRequest } from '../history/history.js';
import { idsOf } from '../payment/payment-case.js';
import { raiseGeneration } from '../payment/payment-job.js';
import { isBlank } from '../texts/plain.js';
import { paymentsToSettle, SETTLING_WORDS } from './open-cases.js';
import { getRequest } from './requests.js';

/** A signature that does not count. */
const SIGNED = ['canceled_signed'] as const;

/** What does not count and was dealt with. */
export interface Settled {
  /** Their paymentIds. */
  payments: readonly string[];
  signature: boolean;
}

export interface SettleOptions extends By {
  /** What became of it; never blank. */
  reason: string;
  /** Only these payments; with `signature`, that too. Without both: all that waits for a decision. */
  payments?: readonly string[] | undefined;
  /** Only the signature. */
  signature?: boolean | undefined;
  /** Only check the rules. */
  dryRun?: boolean;
}

/**
 * Returns the request, whose status stays, and what was settled. Throws `invalid` without a reason. Refuses with
 * `nothing_to_settle` when nothing of this waits for a decision, also the second of two calls.
 */
export async function settleRequest(
  ctx: Context,
  requestId: number,
  options: SettleOptions,
): Promise<{ request: RequestRow; settled: Settled }> {
  const { reason, dryRun = false, actor } = options;
  const request = getRequest(ctx, requestId);
  if (isBlank(reason)) throw invalid({ reason: BLANK });
  const settled = toSettle(ctx.db, request, options);
  if (dryRun) return { request, settled };
  return change(ctx, { actor, reason }, (tx) => {
    const fresh = requireRequest(tx.db, { id: requestId });
    const now = toSettle(tx.db, fresh, options);
    // What has been reported meanwhile is not settled unseen.
    const known: Settled = {
      payments: now.payments.filter((id) => settled.payments.includes(id)),
      signature: now.signature && settled.signature,
    };
    if (isNothing(known)) throw nothingToSettle(fresh);
    const signed = known.signature ? openCasesOf(tx.db, requestId, SIGNED) : [];
    decideCase(
      tx,
      SIGNED,
      signed.map(({ subject }) => subject),
      'settled',
    );
    tx.record('request.settled', ofRequest(requestId), { reason, ...known });
    giveWay(tx, fresh);
    return { request: fresh, settled: known };
  });
}

/** A customer who was never given a link has to get one: from now on that is to be done. */
function giveWay({ db }: Change, { id: requestId, status, payToken }: RequestRow): void {
  const contract = findCurrentContract(db, { requestId });
  if (status === 'WAITING_PAYMENT' && payToken === null && contract) raiseGeneration(db, contract.id);
}

function toSettle(db: Db, request: RequestRow, asked: SettleOptions): Settled {
  const open = openOf(db, request);
  const isAll = asked.payments === undefined && !asked.signature;
  const payments = isAll ? open.payments : (asked.payments ?? []);
  const signature = isAll ? open.signature : asked.signature === true;
  const isOpen = payments.every((id) => open.payments.includes(id)) && (open.signature || !signature);
  if (!isOpen || isNothing({ payments, signature })) throw nothingToSettle(request);
  return { payments, signature };
}

function isNothing({ payments, signature }: Settled): boolean {
  return payments.length === 0 && !signature;
}

/** A signature or payment that does not count is waiting for somebody to settle it. */
export function hasOpenCase(db: Db, request: RequestRow): boolean {
  return !isNothing(openOf(db, request));
}

function openOf(db: Db, request: RequestRow): Settled {
  const about = { requestId: request.id };
  const known = {
    request,
    contract: findCurrentContract(db, about),
    history: historyOf(db, request.id, SETTLING_WORDS),
  };
  return {
    payments: idsOf(paymentsToSettle(known)),
    signature: openCasesOf(db, request.id, SIGNED).length > 0,
  };
}

function nothingToSettle({ id }: RequestRow): AppError {
  return refused('nothing_to_settle', 'There is nothing to settle.', [
    '`',
    command('explain', id),
    '` shows how it stands.',
  ]);
}
