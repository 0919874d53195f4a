/**
 * Brings signatures under way into line with the customer's name and address (rules 2): the signer is corrected at the
 * provider, who then mails the link again. Where that cannot be, a reset is the way.
 */
import {
  findCurrentContract,
  requireContract,
  setSignId,
  setSignLink,
} from '../../db/contracts/contracts.js';
import { listRequestsOfOwnerInStatus } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { AppError, describeError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { requestLock, withLock } from '../lock.js';
import { proveOurs } from '../signature/is-ours.js';
import { unavailable } from '../signature/start-signature.js';

export interface CorrectedSigner {
  requestId: number;
  reference: string;
  corrected: boolean;
  /** Why not, in words; null when it was. */
  error: string | null;
}

/** The requests of this customer whose contract is out for signature. */
export function signaturesUnderWay({ db }: Context, ownerId: number): RequestRow[] {
  return listRequestsOfOwnerInStatus(db, { ownerId, status: 'WAITING_SIGNATURE' }).filter(({ id }) => {
    const contract = findCurrentContract(db, { requestId: id });
    return contract?.status === 'PENDING' && contract.signerId !== null;
  });
}

/** A failure does not stop the others. */
export async function correctSigners(ctx: Context, ownerId: number, by: By): Promise<CorrectedSigner[]> {
  const results: CorrectedSigner[] = [];
  for (const { id, reference } of signaturesUnderWay(ctx, ownerId)) {
    const about = { requestId: id, reference };
    try {
      await withLock(ctx, requestLock(id), () => correct(ctx, id, requireUser(ctx.db, { id: ownerId }), by));
      results.push({ ...about, corrected: true, error: null });
    } catch (error) {
      const told = unavailable(error);
      if (!(told instanceof AppError)) throw error;
      ctx.log.warn({ requestId: id, error: describeError(error) }, 'a signer could not be corrected');
      results.push({ ...about, corrected: false, error: told.message });
    }
  }
  return results;
}

async function correct(ctx: Context, requestId: number, customer: UserRow, by: By): Promise<void> {
  const contract = findCurrentContract(ctx.db, { requestId });
  if (contract?.status !== 'PENDING' || !contract.signId || !contract.signerId) return;
  const { signId, signerId } = contract;
  await mustBeOpen(ctx, contract, signId);
  const { username, firstName, lastName, phone } = customer;
  const link = await ctx.provider.updateSigner(signId, signerId, {
    firstName,
    lastName,
    email: username,
    phone,
  });
  await change(ctx, by, (tx) => {
    // A reset or cancellation may have been faster.
    if (requireContract(tx.db, { id: contract.id }).signId !== signId) return;
    setSignId(tx.db, { id: contract.id, signId, signerEmail: username });
    if (link) {
      const { signUrl, expiresAt } = link;
      setSignLink(tx.db, { id: contract.id, signerId, signUrl, signUrlExpiresAt: expiresAt });
    }
    tx.record('contract.signer_corrected', ofContract(contract), { reason: tx.reason });
  });
}

/** Somebody else's signer is never changed, nor one who has signed. */
async function mustBeOpen(ctx: Context, contract: ContractRow, signId: string): Promise<void> {
  const state = await ctx.provider.getSignatureStatus(signId);
  const ours = await proveOurs(ctx, state, contract);
  if (ours?.status === 'ongoing') return;
  const said = ours ? `it is ${ours.status} there` : 'what is there belongs to somebody else';
  throw new AppError('refused', 'contract_expired', `The signature cannot be corrected: ${said}.`);
}
