/**
 * Brings signatures under way into line with the customer's name and address (rules 2): the signer is corrected at the
 * provider, who then mails the link again. A job does it, written with the correction itself, so that no crash comes
 * between the two. Where it cannot be done, a reset is the way.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  findContract,
  findCurrentContract,
  requireContract,
  setCorrectedAt,
  setSignId,
  setSignLink,
} from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findJob, promoteJob, requireJob } from '../../db/jobs/jobs.js';
import { listRequestsOfOwnerIn, requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, JobRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { decideCase } from '../cases/cases.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { ofContract } from '../history/history.js';
import type { JobResult } from '../jobs/kind.js';
import { attemptOnce } from '../jobs/waiting.js';
import { requestLock, withLock } from '../lock.js';
import { proveOurs } from '../signature/is-ours.js';
import { getSigner } from '../signature/prepare-contract.js';
import { localeOf } from './names.js';
import { setTriedAddresses, signerJob, triedAddresses, type SignerJob } from './signer-job.js';

export interface CorrectedSigner {
  requestId: number;
  reference: string;
  corrected: boolean;
  /** Why not yet, in words; null when it was, and on a dry run. The job goes on by itself. */
  error: string | null;
}

interface UnderWay {
  request: RequestRow;
  contract: ContractRow;
}

interface Correcting extends UnderWay {
  job: JobRow;
}

/** The requests of this customer whose contract is out for signature. */
export function signaturesUnderWay(db: Db, ownerId: number): UnderWay[] {
  return listRequestsOfOwnerIn(db, { ownerId, statuses: ['WAITING_SIGNATURE'] }).flatMap((request) => {
    const contract = findCurrentContract(db, { requestId: request.id });
    return isWithCustomer(contract) ? [{ request, contract }] : [];
  });
}

/** To be signed; so its id at the provider is known, and the signer's. */
function isWithCustomer(
  contract: ContractRow | undefined,
): contract is ContractRow & { signId: string; signerId: string } {
  return contract?.status === 'PENDING' && contract.sending === 'sent';
}

/**
 * Call in the change that corrects the customer; returns the jobs, which are due at `runAt` or earlier. Throws what a start
 * would throw for a customer whom the provider does not accept, such as one without a name.
 */
export function orderCorrections(tx: Change, ownerId: number, runAt = tx.now): Correcting[] {
  const { db } = tx;
  return signaturesUnderWay(db, ownerId).map(({ request, contract }) => {
    getSigner(db, request);
    const { id } = tx.enqueueAgain(
      signerJob,
      { contractId: contract.id },
      { ...ofContract(contract), runAt },
    );
    promoteJob(db, { id, runAt });
    return { job: requireJob(db, { id }), request, contract };
  });
}

/** The outcome of the next attempt of each. */
export async function outcomesOf(ctx: Context, all: readonly Correcting[]): Promise<CorrectedSigner[]> {
  await Promise.all(all.map(({ job }) => attemptOnce(ctx, job)));
  return all.flatMap(({ job: before, request: { id: requestId, reference }, contract }) => {
    const about = { requestId, reference };
    const job = findJob(ctx.db, before);
    if (job && job.state !== 'completed') return { ...about, corrected: false, error: job.lastError ?? '–' };
    const isOpen = requireContract(ctx.db, contract).status === 'PENDING';
    return isOpen ? { ...about, corrected: true, error: null } : [];
  });
}

/** The handler of the job. Nothing to do any more is done, too. */
export async function correctSigner(ctx: Context, job: SignerJob): Promise<JobResult> {
  const contract = findContract(ctx.db, { id: job.payload.contractId });
  if (!contract) return {};
  const { requestId } = contract;
  return withLock(ctx, requestLock(requestId), (ctx) => correct(ctx, job, requireContract(ctx.db, contract)));
}

async function correct(ctx: Context, job: SignerJob, contract: ContractRow): Promise<JobResult> {
  if (!isWithCustomer(contract)) return {};
  const { signId, signerId } = contract;
  const customer = customerOf(ctx.db, contract);
  await mustBeOpen(ctx, contract, signId);
  // The customer may sign as this address although its answer is lost, and another correction comes.
  await ctx.writer.write((db) => {
    setTriedAddresses(db, job, [...new Set([...triedAddresses(db, contract.id), customer.username])]);
  });
  const link = await correctThere(ctx, { signId, signerId, customer });
  return {
    settle(tx) {
      // A reset or cancellation may have been faster.
      if (requireContract(tx.db, contract).signId !== signId) return;
      const now = customerOf(tx.db, contract);
      if (DETAILS.some((name) => now[name] !== customer[name])) {
        throw new Error('the customer was corrected again meanwhile');
      }
      setSignId(tx.db, { id: contract.id, signId, signerEmail: customer.username });
      setTriedAddresses(tx.db, job, []);
      if (link) {
        const { signUrl, expiresAt } = link;
        setSignLink(tx.db, { id: contract.id, signerId, signUrl, signUrlExpiresAt: expiresAt });
      }
      decideCase(tx, ['recipient_refused'], [String(contract.id)], 'overtaken');
      setCorrectedAt(tx.db, { id: contract.id, correctedAt: tx.now });
      tx.record('contract.signer_corrected', ofContract(contract));
    },
  };
}

/** The signature provider knows all of it. */
export const DETAILS = ['username', 'firstName', 'lastName', 'phone', 'locale'] as const;

function customerOf(db: Db, { requestId }: ContractRow): UserRow {
  return requireUser(db, { id: requireRequest(db, { id: requestId }).ownerId });
}

/** Each change there mails the link again, so what is right already, such as after a crash, stays as it is. */
async function correctThere(
  { config, provider }: Context,
  { signId, signerId, customer }: { signId: string; signerId: string; customer: UserRow },
) {
  const { firstName, lastName, username: email, phone } = customer;
  const right = { firstName, lastName, email, phone, locale: localeOf(config, customer) };
  const { link, ...there } = await provider.getSigner(signId, signerId);
  return isDeepStrictEqual(there, right) ? link : provider.updateSigner(signId, signerId, right);
}

/** Somebody else's signer is never changed, nor one who has signed. */
async function mustBeOpen(ctx: Context, contract: ContractRow, signId: string): Promise<void> {
  const state = await ctx.provider.getSignatureStatus({ ...contract, signId });
  const ours = await proveOurs(ctx, state, contract);
  if (ours?.status === 'ongoing') return;
  const said = ours ? `it is ${ours.status} there` : 'what is there belongs to somebody else';
  throw new AppError('refused', 'contract_expired', `The signature cannot be corrected: ${said}.`);
}
