/**
 * What "sent" brings with it: link, history, event and the move of the request, in one transaction. The start or the reset
 * says so when it ends. When its end was lost, with the provider's answer or with the process, whoever learns from the
 * provider how it stands says so in its place (decisions 2, "A lost answer is looked after").
 */
import {
  findContract,
  isCurrentContract,
  setLastMoment,
  setSignId,
  setSignLink,
} from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findRequest, moveRequest } from '../../db/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { digestOf, readTerms } from '../contracts/terms.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { isBeforeSending, REQUEST_MOVES } from '../lifecycle.js';
import { findAtProvider, sentAs, type SentSignature } from './create-signature.js';
import type { SignatureState } from './provider.js';

/** Its start or reset has not come to its end: the provider may have nothing of it, a draft, or a contract that is out. */
export function isSendingUnfinished({ status, signerId }: ContractRow): boolean {
  return status === 'PENDING' && signerId === null;
}

/** A start that stopped half-way: its contract may be with the customer. */
export function isStartUnderWay(request: RequestRow, contract: ContractRow): boolean {
  return isBeforeSending(request) && isSendingUnfinished(contract);
}

interface Sending {
  sent: SentSignature;
  actor: Actor;
  reason?: string | undefined;
  /** Of a record that was found there: whom it was sent to. */
  signerEmail?: string | undefined;
}

/** The contract as it is then. Nothing changes when it was said before, or when another contract has taken its place. */
export function storeSent(
  ctx: Context,
  db: Db,
  contractId: number,
  { sent, signerEmail, actor, reason }: Sending,
): ContractRow | undefined {
  const contract = findContract(db, contractId);
  const request = contract && findRequest(db, contract.requestId);
  if (!contract || !request || contract.signerId !== null || !isCurrentContract(db, contract))
    return contract;
  const now = iso(ctx.clock.now());
  const { signId, signerId, signUrl, expiresAt, lastMoment } = sent;
  if (signerEmail && contract.signId !== signId) setSignId(db, { id: contractId, signId, signerEmail });
  setSignLink(db, { id: contractId, signerId, signUrl, signUrlExpiresAt: expiresAt });
  if (lastMoment) setLastMoment(db, contractId, lastMoment);
  const about = { at: now, actor, requestId: request.id, contractId };
  // Price or customer have changed since it was made: what the customer has is older than what is shown here.
  const { termsDigest } = contract;
  const isOutdated = termsDigest !== null && termsDigest !== digestOf(readTerms(ctx, db, request.id));
  const detail = { signId, ...(reason && { reason }), ...(isOutdated && { terms: 'outdated' }) };
  record(db, { ...about, what: 'contract.sent', detail });
  const { signatureStarted } = REQUEST_MOVES;
  if (moveRequest(db, request.id, signatureStarted, now)) {
    const { to } = signatureStarted;
    record(db, { ...about, what: 'request.moved', detail: { from: request.status, to } });
    publishEvent(db, { event: 'request.updated', about: { ...request, status: to }, now });
  }
  return findContract(db, contractId);
}

/**
 * Brings request and contract to where an unfinished start or reset has got them at the provider: `ongoing` or `done` mean
 * that the contract was sent. Anything else changes nothing. Throws a ProviderError.
 */
export async function catchUp(
  ctx: Context,
  contract: ContractRow,
  found: SignatureState,
  actor: Actor,
): Promise<void> {
  if (contract.signerId !== null || (found.status !== 'ongoing' && found.status !== 'done')) return;
  const sent = await sentAs(ctx, found);
  const signerEmail = found.signers[0]?.email;
  await ctx.writer.write((db) => storeSent(ctx, db, contract.id, { sent, signerEmail, actor }));
}

/** The same for a contract whose state nobody has asked for yet. */
export async function askAndCatchUp(ctx: Context, contract: ContractRow, actor: Actor): Promise<void> {
  if (contract.signerId !== null) return;
  const { ours } = await findAtProvider(ctx, contract);
  if (ours) await catchUp(ctx, contract, ours, actor);
}
