/** Signing links end after two days (the provider's limit); anybody who opens a contract gets a working one. */
import { setSignLink } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { isSigner } from './is-ours.js';

/** The contract with a working link, renewed if needed; without one when none is available now. */
export async function withFreshSignLink(ctx: Context, contract: ContractRow): Promise<ContractRow> {
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
