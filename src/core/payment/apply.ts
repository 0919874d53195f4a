/** The only place where what was decided about a payment becomes rows, history, events, jobs and mails. */
import { setPaymentKey } from '../../db/contracts/contracts.js';
import { putPayment, type NewPayment } from '../../db/payments/payments.js';
import { setPaymentLink } from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow, PaymentState, RequestRow } from '../../db/schema.js';
import { decideCase, openCase } from '../cases/cases.js';
import type { Change } from '../change.js';
import { ofContract, type HistoryWord } from '../history/history.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { mailJob, type RequestOrder } from '../mail/mail-job.js';
import { answerAbout, type Answer, type Answers } from './answers.js';
import type { PaymentDecision, PaymentEffect, PaymentFacts, Shown } from './decide.js';
import { contractToPay, type OurPayments } from './our-payments.js';
import { givePayToken, isLinkSent, orderLink } from './pay-link.js';
import { isPriceOf } from './price.js';

export interface Applied {
  ours: OurPayments;
  answers: Answers;
  decision: PaymentDecision;
  /** The customer stands before the page and needs no mail. */
  isQuiet?: boolean | undefined;
  wants?: PaymentFacts['wants'];
}

export function applyPayment(tx: Change, applied: Applied): void {
  for (const effect of applied.decision.effects) {
    if (effect.do === 'keep') keep(tx, applied, effect);
    if (effect.do === 'complete') complete(tx, applied, effect.paymentId);
    if (effect.do === 'show') show(tx, applied, effect.shown);
  }
  askToPay(tx, applied);
}

type Keep = PaymentEffect & { do: 'keep' };

function keep(tx: Change, applied: Applied, { paymentId, state, was }: Keep): void {
  const { ours, answers } = applied;
  const answer = answerAbout(answers, paymentId);
  const known = rowOf(ours, paymentId);
  const contract = contractOf(ours, known ?? answer);
  const row = moved(tx, known ?? asNew(tx, contract, paymentId, answer), state, answer);
  putPayment(tx.db, row);
  const about = ofContract(contract);
  if (was === null) {
    setPaymentKey(tx.db, { id: contract.id, paymentKey: null });
    tx.record(answer.isByUs ? 'payment.session_created' : 'payment.session_found', about, { paymentId });
  }
  if (state === 'case') return reportCase(tx, applied, contract, row);
  const what = wordOf(row, answer);
  if (what)
    tx.record(what, about, {
      paymentId,
      ...(state === 'paid' && { amount: row.amount, currency: row.currency }),
    });
  if (what === 'payment.failed' && applied.decision.standing === 'no_page' && contract === ours.contract)
    tellOffice(tx, contract, { trouble: 'payment_failed', paymentId });
}

function asNew(
  { now }: Change,
  { id: contractId, amount, currency }: ContractRow,
  paymentId: string,
  { paymentUrl, expiresAt, isByUs, ...answer }: Answer,
): NewPayment {
  const createdAt = isByUs ? now : (answer.createdAt ?? now);
  const never = { pendingSince: null, refusedAt: null, paidAt: null };
  const session = { contractId, paymentId, paymentUrl, amount, currency, createdAt, expiresAt };
  return { ...session, state: 'open', ...never };
}

/** What is known of a session once it is in this state. */
function moved({ now }: Change, row: NewPayment, state: PaymentState, answer: Answer): NewPayment {
  const next = { ...row, state };
  if (state === 'pending') return { ...next, pendingSince: row.pendingSince ?? answer.since ?? now };
  if (answer.theirs === 'refused') return { ...next, refusedAt: now };
  if (answer.theirs === 'paid' && row.paidAt === null) return { ...next, ...answer.money, paidAt: now };
  return next;
}

function wordOf({ state }: NewPayment, { theirs, isByUs }: Answer): HistoryWord | undefined {
  if (state === 'pending') return 'payment.pending';
  if (state === 'paid') return 'payment.received';
  if (state !== 'over') return undefined;
  if (theirs === 'refused') return 'payment.failed';
  return isByUs ? 'payment.session_closed' : 'payment.session_expired';
}

/** Money that does not count, or not yet. */
function reportCase(tx: Change, { ours, wants }: Applied, contract: ContractRow, row: NewPayment): void {
  const { paymentId, amount, currency } = row;
  const about = ofContract(contract);
  if (!openCase(tx, { kind: 'payment', subject: paymentId }, about)) return;
  const found = troubleOf(ours, contract, row);
  // No signature of this contract can make it count any more.
  const trouble = wants === 'none' && found === 'paid_unsigned' ? 'old_session_paid' : found;
  tx.record(`payment.${trouble}`, about, { paymentId, amount, currency });
  tellOffice(tx, contract, { trouble, paymentId, paid: { amount, currency } });
}

export type PaidTrouble = 'other_price' | 'canceled_paid' | 'paid_unsigned' | 'old_session_paid';

/** Why a payment does not count. `paid_unsigned`: it will, once the signature is known. */
export function troubleOf(
  { request, contract: current }: Pick<OurPayments, 'request' | 'contract'>,
  contract: ContractRow,
  money: Pick<NewPayment, 'amount' | 'currency'>,
): PaidTrouble {
  if (!isPriceOf(contract, money)) return 'other_price';
  if (request.status === 'CANCELED') return 'canceled_paid';
  const mayBeSigned = request.status === 'WAITING_SIGNATURE' || isBeforeSending(request);
  // A reopened request gets another contract.
  const isOver = isBeforeSending(request) && contract.status === 'EXPIRED';
  return mayBeSigned && !isOver && contract.id === current?.id ? 'paid_unsigned' : 'old_session_paid';
}

function complete(tx: Change, { ours }: Applied, paymentId: string): void {
  const { request } = ours;
  const contract = contractToPay(ours);
  const { id: contractId } = contract;
  const about = ofContract(contract);
  if (request.paymentId !== paymentId) showPage(tx, request, paymentId, null);
  decideCase(tx, ['payment'], [paymentId], 'overtaken');
  tx.moveRequest(request, REQUEST_MOVES.paid, { contractId });
  tx.enqueue(mailJob, { mail: 'payment-received', contractId, paymentId }, about);
  tx.enqueue(mailJob, { mail: 'admin-paid', contractId, paymentId }, about);
}

/** Nobody is led to a page that is over; the lasting link in the customer's mail leads to the one that is shown. */
function show(tx: Change, { ours, answers }: Applied, shown: Shown | null): void {
  const { request } = ours;
  if (!shown?.isPage) return showPage(tx, request, shown?.paymentId ?? request.paymentId, null);
  const { paymentId } = shown;
  const { paymentUrl } = answerAbout(answers, paymentId);
  showPage(tx, request, paymentId, paymentUrl ?? rowOf(ours, paymentId)?.paymentUrl ?? null);
  givePayToken(tx, request);
}

/** A page that is new is mailed. One that is shown again, or wanted, is mailed if no link has left: its mail may have been dropped while nobody was asked to pay. */
function askToPay(tx: Change, { ours, decision, wants, isQuiet }: Applied): void {
  if (decision.standing !== 'payable' || isQuiet) return;
  const shown = decision.effects.find((each) => each.do === 'show')?.shown;
  const paymentId = shown?.paymentId ?? (wants === 'page' ? ours.request.paymentId : null);
  if (paymentId === null) return;
  const contract = contractToPay(ours);
  if (!rowOf(ours, paymentId) || !isLinkSent(tx.db, contract)) orderLink(tx, contract, paymentId);
}

function showPage(
  tx: Change,
  request: RequestRow,
  paymentId: string | null,
  paymentUrl: string | null,
): void {
  setPaymentLink(tx.db, { id: request.id, paymentId, paymentUrl, now: tx.now });
  tx.publish('request.updated', request);
}

function tellOffice(
  tx: Change,
  contract: ContractRow,
  about: Pick<RequestOrder & { mail: 'payment-trouble' }, 'trouble' | 'paymentId' | 'paid'>,
): void {
  const order = { mail: 'payment-trouble', contractId: contract.id, detail: null, ...about } as const;
  tx.enqueue(mailJob, order, ofContract(contract));
}

/** As it was before this change; undefined for one that was unknown. */
function rowOf({ payments }: OurPayments, paymentId: string): PaymentRow | undefined {
  return payments.find((row) => row.paymentId === paymentId);
}

function contractOf({ contracts }: OurPayments, { contractId }: Pick<Answer, 'contractId'>): ContractRow {
  const contract = contracts.find(({ id }) => id === contractId);
  if (!contract) throw new Error(`a payment session of no contract (${contractId})`);
  return contract;
}
