/**
 * Records a contract as sent: link, history, event and the request's move, in one transaction. Start and reset do it
 * at their end. If that step was lost, with the provider's answer or the process, the code that next learns the state
 * from the provider does it (rules 2, "Lost answers").
 */
import {
  requireContract,
  setLastMoment,
  setSignId,
  setSent,
  setSignLink,
} from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { digestOf, readTerms } from '../contracts/terms.js';
import { ofContract } from '../history/history.js';
import { ProviderError, isProviderError } from '../http/provider-error.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { isSigner } from './is-ours.js';
import type { SignatureState, SignLink } from './provider-answers.js';

export interface SentSignature extends Omit<SignLink, 'signUrl'> {
  signId: string;
  /** Null when the customer has signed: the provider no longer shows a link. */
  signUrl: string | null;
  /** The provider's last moment to sign, if it names one. */
  lastMoment: string | null;
  /** To whom a document that was found there was sent. */
  signerEmail?: string | undefined;
}

/** Link and signer of a contract that the provider has sent; a signed one has no link. */
export async function sentAs(
  ctx: Context,
  { signId, status, signers, lastMoment }: SignatureState,
): Promise<SentSignature> {
  const [signer] = signers;
  const about = { signId, lastMoment, signerEmail: signer?.email };
  if (status === 'done') return { ...about, signerId: signer?.id ?? signId, signUrl: null, expiresAt: null };
  const link = signer && (await ctx.provider.getSigner(signId, signer.id)).link;
  if (!link) throw new ProviderError('unavailable', 'signature provider gave no link for the signer');
  return { ...about, ...link };
}

/** Nothing changes when it was said before. */
export function storeSent(ctx: Context, tx: Change, contractId: number, sent: SentSignature): void {
  const { db, reason } = tx;
  const contract = requireContract(db, { id: contractId });
  if (contract.sending === 'sent') return;
  const request = requireRequest(db, { id: contract.requestId });
  const { signId, lastMoment } = sent;
  putSent(db, contractId, sent);
  if (lastMoment) setLastMoment(db, { id: contractId, expiredAt: lastMoment });
  // Terms have changed since: the customer has an older version than shown here.
  const { termsDigest } = contract;
  const isOutdated = termsDigest !== null && termsDigest !== digestOf(readTerms(ctx, db, request.id));
  const detail = { signId, reason, ...(isOutdated && { terms: 'outdated' }) };
  tx.record('contract.sent', ofContract(contract), detail);
  tx.moveRequest(request, REQUEST_MOVES.signatureStarted, { contractId });
}

/** Under which signId, to whom, and the link. */
export function putSent(
  db: Db,
  id: number,
  { signId, signerId, signUrl, expiresAt, signerEmail }: SentSignature,
): void {
  if (signerEmail) setSignId(db, { id, signId, signerEmail });
  setSent(db, { id, signerId, signUrl, signUrlExpiresAt: expiresAt });
}

/** Links end after two days, the provider's limit. The contract with a working one, renewed if needed; without when none is available now. */
export async function withFreshSignLink<C extends ContractRow>(ctx: Context, contract: C): Promise<C> {
  const { id, status, signId, signerId, signUrl, signUrlExpiresAt } = contract;
  if (status !== 'PENDING' || !signId || !signerId || !signUrl) return contract;
  if (signUrlExpiresAt === null || signUrlExpiresAt > iso(ctx.clock.now())) return contract;
  try {
    const { email, link } = await ctx.provider.getSigner(signId, signerId);
    // A stranger's link must not reach this customer.
    if (!link || !isSigner(ctx.db, contract, email)) return { ...contract, signUrl: null };
    const fresh = { signerId: link.signerId, signUrl: link.signUrl, signUrlExpiresAt: link.expiresAt };
    await ctx.writer.write((db) => setSignLink(db, { id, ...fresh }));
    return { ...contract, ...fresh };
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ contractId: id, error: error.message }, 'the link to sign could not be renewed');
    return { ...contract, signUrl: null };
  }
}
