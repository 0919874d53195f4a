/**
 * Reminds a customer (rules 2): of a signature by the provider's own reminder, of a payment by the mail with the link.
 * The provider is asked first, so that nobody is reminded of what is done.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import {
  requireRequest,
  setRemindAt,
  setRemindedAt,
  listRequestsToRemind,
} from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type Change, type Try } from '../change.js';
import { addMs, iso, DAY_MS, HOUR_MS } from '../clock.js';
import { runInstead } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, refused, describeError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { requestLock, withLock } from '../lock.js';
import { mailJob } from '../mail/mail-job.js';
import { askAboutPayment } from '../payment/check-payment.js';
import { isAnnouncing } from '../payment/pay-link.js';
import type { PaymentStanding } from '../payment/decide.js';
import { paymentStanding } from '../payment/our-payments.js';
import { mustBeLookedAt, paymentPending } from '../payment/payment-cases.js';
import { asPaymentRefusal, asRefusal } from '../http/refusal.js';
import { getRequest } from '../requests/requests.js';
import type { SignatureAnswer } from '../signature/decide.js';
import { reconcile, type Reconciled } from '../signature/reconcile.js';
import { nextReminder } from './remind-days.js';
import { SCHEDULE } from '../actor.js';
import { Round, type RoundOptions } from '../calls/round.js';

interface RemindOptions extends Try {
  /** Between two reminders; by default that of a person. */
  pauseMs?: number;
}

export type RemindedOf = 'signature' | 'payment';

/** So that a second click, or a colleague, does not remind again. */
const PAUSE_MS = HOUR_MS;

/**
 * Returns what the customer was reminded of. Refuses with `nothing_to_remind`, `reminded_recently`, with what the
 * provider says (`already_signed`, `contract_expired`, `already_paid`, `payment_pending`), with
 * `in_progress` until the mail with the signed contract has left, and with `provider_unavailable` or
 * `payment_unavailable`.
 */
export function remindRequest(ctx: Context, requestId: number, options: RemindOptions): Promise<RemindedOf> {
  getRequest(ctx, requestId);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    const request = getRequest(ctx, requestId);
    const contract = findCurrentContract(ctx.db, { requestId });
    if (!contract || !REMINDABLE.includes(request.status)) throw nothingToRemind();
    mustPause(ctx, request, options);
    if (request.status === 'WAITING_SIGNATURE') return remindOfSignature(ctx, contract, options);
    return remindOfPayment(ctx, contract, options);
  });
}

const REMINDABLE: readonly RequestRow['status'][] = ['WAITING_SIGNATURE', 'WAITING_PAYMENT'];

function nothingToRemind(): AppError {
  return refused('nothing_to_remind', 'The request is waiting for neither a signature nor a payment.');
}

/** The mail with the signed contract comes first: a reminder must not overtake it. */
function notAnnounced(requestId: number): AppError {
  const hint = runInstead('explain', requestId);
  return new AppError('busy', 'in_progress', 'The mail with the signed contract has not left yet.', { hint });
}

function mustPause({ clock }: Context, request: RequestRow, { pauseMs = PAUSE_MS }: RemindOptions): void {
  const { remindedAt: last } = request;
  if (last === null || iso(addMs(new Date(last), pauseMs)) <= iso(clock.now())) return;
  throw refused(
    'reminded_recently',
    `The customer was last reminded at ${last}.`,
    'Wait an hour before the next reminder.',
  );
}

async function remindOfSignature(
  ctx: Context,
  contract: ContractRow,
  { dryRun, ...by }: RemindOptions,
): Promise<RemindedOf> {
  const trigger = { actor: by.actor, dryRun, isOwnWork: true };
  try {
    const found = await reconcile(ctx, contract.id, trigger);
    const { state } = found.seen;
    const customer = state?.signers[0];
    if (found.decision.answer !== 'ongoing' || !customer) throw cannotSign(found, contract);
    if (dryRun) return 'signature';
    await ctx.provider.sendReminder(state.signId, customer.id);
  } catch (error) {
    throw asRefusal(error);
  }
  await change(ctx, by, (tx) => recordReminder(tx, 'signature.reminded', contract));
  return 'signature';
}

function cannotSign({ decision: { answer }, seen }: Reconciled, { requestId }: ContractRow): AppError {
  const instead = runInstead('explain', requestId);
  const anew = runInstead('reset-signature', requestId);
  if (OVERTAKEN.includes(answer)) return nothingToRemind();
  if (answer === 'signed') return refused('already_signed', SIGNED_THERE);
  if (answer === 'late') return refused('already_signed', SIGNED_THERE, instead);
  if (answer === 'foreign') return refused('foreign_signature', NOT_THERE, instead);
  if (answer === 'not_found') return refused('signature_not_found', NOT_THERE, instead);
  return answer === 'not_sent' || seen.state?.status === 'draft'
    ? refused('no_sign_id', 'The contract was never sent.', anew)
    : refused('contract_expired', 'The contract can no longer be signed.', anew);
}

/** Its webhook was faster. */
const OVERTAKEN: readonly SignatureAnswer[] = ['repeat', 'not_waiting', 'unavailable', 'unconfirmed'];

const SIGNED_THERE = 'The customer has signed this contract at the provider.';
const NOT_THERE = 'The signature provider does not have this contract of ours.';

async function remindOfPayment(
  ctx: Context,
  contract: ContractRow,
  { dryRun = false, ...by }: RemindOptions,
): Promise<RemindedOf> {
  const { requestId } = contract;
  mustBeAskable(requestId, paymentStanding(ctx.db, requestId));
  if (getRequest(ctx, requestId).payToken === null) {
    const instead = runInstead('payments renew', requestId);
    throw refused('nothing_to_remind', 'The customer has no payment link yet.', instead);
  }
  if (isAnnouncing(ctx.db, contract)) throw notAnnounced(requestId);
  const { standing } = await askAboutPayment(ctx, requestId, { actor: by.actor, dryRun }).catch((error) => {
    throw asPaymentRefusal(error);
  });
  mustBeAskable(requestId, standing);
  if (!dryRun) await change(ctx, by, (tx) => remind(ctx, tx, contract));
  return 'payment';
}

/** Nobody is reminded of money that has come, or is on its way. */
function mustBeAskable(requestId: number, standing: PaymentStanding): void {
  if (standing === 'on_its_way') throw paymentPending(requestId);
  if (standing === 'case') throw mustBeLookedAt(runInstead('explain', requestId));
  if (standing === 'paid') throw refused('already_paid', 'The customer has paid at the payment provider.');
}

function remind(ctx: Context, tx: Change, contract: ContractRow): void {
  const { db, now } = tx;
  const { id: contractId, requestId } = contract;
  const request = requireRequest(db, { id: requestId });
  // Its webhook may have come meanwhile.
  if (request.status !== 'WAITING_PAYMENT') throw nothingToRemind();
  if (isAnnouncing(db, contract)) throw notAnnounced(requestId);
  const remindAt = nextReminder(ctx.config.remindDays, request.statusSince, now);
  setRemindAt(db, { id: requestId, remindAt });
  recordReminder(tx, 'payment.reminded', contract);
  tx.enqueue(mailJob, { mail: 'payment-reminder', contractId, at: now }, ofContract(contract));
}

function recordReminder(
  tx: Change,
  what: 'signature.reminded' | 'payment.reminded',
  contract: ContractRow,
): void {
  setRemindedAt(tx.db, { id: contract.requestId, remindedAt: tx.now });
  tx.record(what, ofContract(contract), { reason: tx.reason });
}

// Reminds every customer whose day has come to pay (setting `ESIGN_REMIND_DAYS`). Signatures are the provider's own.

/** A person's reminder of the same day counts too. */
const BETWEEN_MS = DAY_MS;

/** Somebody is working on the request, or there was no answer about it: the others come first. */
const LATER_MS = HOUR_MS;

const AT_ONCE = 100;

export async function remindDue(ctx: Context, options: RoundOptions = {}) {
  const { db, config, log } = ctx;
  const counts = { reminded: 0, passed: 0, failed: 0 };
  const round = new Round(options);
  const setNext = (id: number, remindAt: string | null) =>
    ctx.writer.write((unit) => setRemindAt(unit, { id, remindAt }));
  const later = () => iso(addMs(ctx.clock.now(), LATER_MS));
  for (let isMore = config.remindDays.length > 0; isMore && !round.isOver && !round.hasBrokenOff;) {
    const now = iso(ctx.clock.now());
    const due = listRequestsToRemind(db, { now, limit: AT_ONCE });
    isMore = due.length === AT_ONCE;
    await round.each(ctx, due, {
      keyOf: ({ id }) => id,
      nameOf: ({ id }) => `request ${id}`,
      async act({ id, statusSince }) {
        try {
          await remindRequest(ctx, id, { actor: SCHEDULE, pauseMs: BETWEEN_MS });
          counts.reminded += 1;
        } catch (error) {
          if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
          log.info({ requestId: id, reason: describeError(error) }, 'a customer was not reminded');
          counts.passed += 1;
          await setNext(
            id,
            error.kind === 'busy' ? later() : nextReminder(config.remindDays, statusSince, now),
          );
        }
      },
      async failed({ id }, error) {
        log.warn({ requestId: id, error: describeError(error) }, 'a customer could not be reminded');
        counts.failed += 1;
        await setNext(id, later());
      },
    });
  }
  return { ...counts, ...(round.trouble !== undefined && { trouble: round.trouble }) };
}
