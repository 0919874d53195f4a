/** The only place where the effects of a decision about a signature become rows, history, events, jobs and mails (rules 2, 3). */
import { oweAuditTrail } from '../../db/contracts/lists.js';
import {
  requireContract,
  setLastMoment,
  setSignId,
  setTold,
  signContract,
} from '../../db/contracts/contracts.js';
import { finishInboxEvents, finishNamedInboxEvents } from '../../db/inbox/inbox.js';
import { requireRequest, setRemindAt } from '../../db/requests/requests.js';
import type { ContractRow, InboxRow } from '../../db/schema.js';
import { decideCase } from '../cases/cases.js';
import type { Change } from '../change.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { isInPlace, type ReceivedPdf } from '../contracts/contract-files.js';
import { endContract } from '../contracts/end-contract.js';
import { ofContract } from '../history/history.js';
import { CONTRACT_MOVES, REQUEST_MOVES } from '../lifecycle.js';
import { mailJob } from '../mail/mail-job.js';
import { paymentJob } from '../payment/payment-job.js';
import { nextReminder } from '../reminders/remind-days.js';
import { keepDueAt } from '../requests/due-date.js';
import { ANSWERS } from './answers.js';
import type { SignatureDecision, SignatureEffect } from './decide.js';
import type { SignatureState } from './provider-answers.js';
import { putSent, storeSent, type SentSignature } from './sent.js';
import { tellElsewhere, tellForeign, tellLate } from './told.js';
import { END_EVENTS } from './webhook-event.js';

/** What was fetched before the unit began. */
export interface Fetched {
  state?: SignatureState | undefined;
  sent?: SentSignature | undefined;
  pdf?: ReceivedPdf | undefined;
}

export function applyDecision(
  ctx: Context,
  tx: Change,
  contractId: number,
  { decision, fetched }: { decision: SignatureDecision; fetched: Fetched },
): void {
  for (const effect of decision.effects)
    take(ctx, tx, requireContract(tx.db, { id: contractId }), { effect, fetched });
  finishEvents(tx, contractId, decision);
}

interface Step {
  effect: SignatureEffect;
  fetched: Fetched;
}

function take(ctx: Context, tx: Change, contract: ContractRow, { effect, fetched }: Step): void {
  const { state, sent } = fetched;
  switch (effect.do) {
    case 'believe_last_moment':
      return believeLastMoment(tx, contract, effect.lastMoment);
    case 'remember_signer':
      return rememberSigner(tx, contract, needed(state));
    case 'take_second':
      return takeSecond(tx, contract, needed(sent));
    case 'record_sent':
      return storeSent(ctx, tx, contract.id, needed(sent));
    case 'sign':
      return sign(ctx, tx, contract, { ...fetched, ...effect });
    case 'end':
      endContract(tx, contract, { reason: effect.reason, declineReason: state?.declineReason });
      return undefined;
    case 'tell':
      return tell(tx, contract, effect, state);
  }
}

function needed<T>(fetched: T | undefined): T {
  if (fetched === undefined) throw new Error('what is to be stored was not fetched');
  return fetched;
}

function tell(
  tx: Change,
  contract: ContractRow,
  { what, signedAt }: Extract<SignatureEffect, { do: 'tell' }>,
  state: SignatureState | undefined,
): void {
  if (what === 'late') tellLate(tx, contract, signedAt);
  else if (what === 'elsewhere') tellElsewhere(tx, contract, signedAt);
  else tellForeign(tx, contract, needed(state), { isServed: false });
}

/** Ours counts until the provider names one; the history keeps both. */
function believeLastMoment(tx: Change, contract: ContractRow, to: string): void {
  setLastMoment(tx.db, { id: contract.id, expiredAt: to });
  tx.record('contract.last_moment_told', ofContract(contract), { from: contract.expiredAt, to });
}

/** A restore has undone that. The list says enough from now on, and the record of its end says which document it was. */
function rememberSigner(
  tx: Change,
  { id, requestId, signId: known }: ContractRow,
  { signId, signers: [signer] }: SignatureState,
): void {
  if (!signer?.email || (known ?? signId) !== signId) return;
  setSignId(tx.db, { id, signId, signerEmail: signer.email });
  keepDueAt(tx.db, requestId);
}

function takeSecond(tx: Change, contract: ContractRow, second: SentSignature): void {
  const { id, signId: instead } = contract;
  const { signId } = second;
  putSent(tx.db, id, second);
  setTold(tx.db, { id, told: null });
  decideCase(tx, ['unknown_document'], [signId], 'accepted');
  tx.record('contract.second_accepted', ofContract(contract), { signId, instead, reason: tx.reason });
}

interface Signing extends Fetched {
  signedAt: string | null;
  /** A person has accepted it. */
  isLate: boolean;
}

function sign(
  ctx: Context,
  tx: Change,
  contract: ContractRow,
  { signedAt, isLate, pdf, state }: Signing,
): void {
  const { db, reason } = tx;
  const { id, requestId, signId } = contract;
  // The other call signs with its own, or the next attempt with what it is given then.
  if (!pdf || !isInPlace(pdf)) throw new Error(`another document was stored as the signed contract ${id}`);
  const at = signedAt ?? tx.now;
  const { sha256, size } = pdf;
  const expiredAt = endOfTerm(ctx, at);
  signContract(db, {
    id,
    signedAt: at,
    expiredAt,
    pdfSha256: sha256,
    pdfSize: size,
    ...CONTRACT_MOVES.proved,
  });
  // Ours, though perhaps not the latest: the customer signed before a correction arrived there.
  const signerEmail = state?.signers[0]?.email ?? contract.signerEmail;
  if (signerEmail !== contract.signerEmail) setSignId(db, { id, signId, signerEmail });
  const about = ofContract(contract);
  if (isLate) {
    tx.record('contract.late_accepted', about, { reason, signedAt, lastMoment: contract.expiredAt });
    decideCase(tx, ['signed_late'], [String(id)], 'accepted');
  }
  oweAuditTrail(db, { contractId: id, dueAt: tx.now });
  tx.record('contract.signed', about, { signedAt: at, sha256, size });
  tx.moveRequest(requireRequest(db, { id: requestId }), REQUEST_MOVES.signed, { contractId: id });
  setRemindAt(db, { id: requestId, remindAt: nextReminder(ctx.config.remindDays, tx.now, tx.now) });
  tx.enqueue(mailJob, { mail: 'contract-signed', contractId: id }, about);
  tx.enqueue(mailJob, { mail: 'admin-signed', contractId: id }, about);
  tx.enqueue(paymentJob, about, about);
}

function endOfTerm(ctx: Context, signedAt: string): string | null {
  const { contractTermDays } = ctx.config;
  return contractTermDays === 0 ? null : iso(addDays(new Date(signedAt), contractTermDays));
}

/** Closes the events that told of the contract, no matter which call did their work; those that nobody could confirm stay. */
function finishEvents(
  { db, now: finishedAt }: Change,
  contractId: number,
  decision: SignatureDecision,
): void {
  const { state, outcome } = endOfEvents(decision);
  if (outcome === null) return;
  const finishing = { contractId, finishedAt, state, outcome };
  if (outcome !== 'not_confirmed') finishInboxEvents(db, finishing);
  // One that tells of a signature stays open: another job proves it.
  else finishNamedInboxEvents(db, { ...finishing, eventNames: Object.keys(END_EVENTS) });
}

export type EventEnd = Pick<InboxRow, 'state' | 'outcome'>;

export const UNFINISHED: EventEnd = { state: 'received', outcome: null };

/** What becomes of an event by what was decided. */
export function endOfEvents({ answer, effects }: SignatureDecision): EventEnd {
  const { completion } = ANSWERS[answer];
  if (!completion) return UNFINISHED;
  if (completion === 'not_confirmed') return { state: 'ignored', outcome: completion };
  const isDone = completion === 'completed' || effects.some((effect) => effect.do === 'end');
  return completion === 'ended'
    ? { state: isDone ? 'done' : 'ignored', outcome: answer }
    : { state: isDone ? 'done' : 'refused', outcome: completion };
}
