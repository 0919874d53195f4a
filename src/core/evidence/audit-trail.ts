/** The signature provider's own account of a signature, as PDF and as JSON (rules 2). It may lag behind the signature. */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { UnfitFile } from '../contracts/contract-files.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { isNotReady, type KnownSignature } from '../signature/provider.js';
import { asRefusal } from '../signature/provider-says.js';
import type { LabelKey } from '../texts/index.js';
import { dropTrailFiles, receiveTrailFile, type TrailFile } from './trail-files.js';

export interface AuditTrail {
  /** The caller places or drops them. */
  files: TrailFile[];
  missing: { name: string; reason: LabelKey }[];
}

/**
 * What the provider has. Throws `provider_unavailable` while it does not answer and `audit_trail_not_ready` while it lags
 * behind; what it does not have is missing.
 */
export async function fetchAuditTrail(
  ctx: Context,
  contract: ContractRow & { signId: string },
): Promise<AuditTrail> {
  const { id, signId, signerId } = contract;
  const trail: AuditTrail = { files: [], missing: [] };
  const take = async (name: string, ask: (use: Use) => Promise<TrailFile>) => {
    try {
      trail.files.push(await ask((bytes) => receiveTrailFile(ctx, id, name, bytes)));
    } catch (error) {
      if (isNotReady(error)) throw notReady();
      const isUnfit = error instanceof UnfitFile;
      if (!isUnfit && !isProviderError(error, 'not_found', 'rejected')) throw asRefusal(error);
      trail.missing.push({
        name,
        reason: isUnfit ? 'evidence.missing.unusable' : 'evidence.missing.unknown',
      });
    }
  };
  try {
    await take('audit-trail.pdf', (use) => ctx.provider.downloadAuditTrail(signId, use));
    const signerIds = signerId === null ? await signersOf(ctx, contract) : [signerId];
    for (const [i, each] of signerIds.entries()) {
      const name = `audit-trail${i === 0 ? '' : `-${i + 1}`}.json`;
      await take(name, (use) => ctx.provider.streamAuditTrail(signId, each, use));
    }
    return trail;
  } catch (error) {
    await dropTrailFiles(trail.files);
    throw error;
  }
}

type Use = (bytes: AsyncIterable<Uint8Array>) => Promise<TrailFile>;

async function signersOf(ctx: Context, known: KnownSignature): Promise<string[]> {
  try {
    return (await ctx.provider.getSignatureStatus(known)).signers.map(({ id }) => id);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return [];
    throw asRefusal(error);
  }
}

function notReady(): AppError {
  return new AppError(
    'unavailable',
    'audit_trail_not_ready',
    'The signature provider has not finished its audit trail yet.',
    { hint: 'Try again in a few minutes. With --offline the archive is made without it.' },
  );
}
