/** The signature provider's own account of a signature, as PDF and as JSON (rules 2). It may lag behind the signature. */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { pdfFault } from '../contracts/whole-pdf.js';
import { isNotReady, type KnownSignature } from '../signature/provider.js';
import { sayIn, type Say } from '../texts/index.js';
import { asRefusal } from '../signature/provider-says.js';
import type { Content } from './write-archive.js';
import type { Missing } from './manifest.js';

const BYTES_MAX = 20 * 1024 ** 2;

export interface AuditTrail {
  contents: Content[];
  missing: Missing[];
}

/**
 * What the provider has. Throws `provider_unavailable` while it does not answer and `audit_trail_not_ready` while it lags
 * behind; what it does not have is missing.
 */
export async function auditTrailOf(
  ctx: Context,
  contract: ContractRow & { signId: string },
): Promise<AuditTrail> {
  const { id, signId } = contract;
  const say = sayIn(ctx.config.locale);
  const asked = askerOf(say);
  const pdf = await asked(`contracts/${id}/audit-trail.pdf`, say('evidence.about.audit_pdf', { id }), () =>
    ctx.provider.downloadAuditTrail(signId, (bytes) => wholePdf(bytes)),
  );
  const signerIds = contract.signerId === null ? await signersOf(ctx, contract) : [contract.signerId];
  const trails: AuditTrail[] = [];
  for (const [i, signerId] of signerIds.entries()) {
    const name = `contracts/${id}/audit-trail${i === 0 ? '' : `-${i + 1}`}.json`;
    const about = say('evidence.about.audit_json', { id });
    trails.push(
      await asked(name, about, () =>
        ctx.provider.streamAuditTrail(signId, signerId, (bytes) => wholeJson(bytes)),
      ),
    );
  }
  const all = [pdf, ...trails];
  return {
    contents: all.flatMap(({ contents }) => contents),
    missing: all.flatMap(({ missing }) => missing),
  };
}

async function signersOf(ctx: Context, known: KnownSignature): Promise<string[]> {
  try {
    return (await ctx.provider.getSignatureStatus(known)).signers.map(({ id }) => id);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return [];
    throw asRefusal(error);
  }
}

function askerOf(say: Say) {
  return async (name: string, about: string, get: () => Promise<Buffer>): Promise<AuditTrail> => {
    try {
      return { contents: [{ name, about, bytes: await get() }], missing: [] };
    } catch (error) {
      if (isNotReady(error)) throw notReady();
      const isUnusable = error instanceof Unusable;
      if (!isUnusable && !isProviderError(error, 'not_found', 'rejected')) throw asRefusal(error);
      const key = isUnusable ? 'evidence.missing.unusable' : 'evidence.missing.unknown';
      return { contents: [], missing: [{ name, reason: say(key) }] };
    }
  };
}

function notReady(): AppError {
  return new AppError(
    'unavailable',
    'audit_trail_not_ready',
    'The signature provider has not finished its audit trail yet.',
    { hint: 'Try again in a few minutes. With --offline the archive is made without it.' },
  );
}

/** What came back is not what was asked for. */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

async function wholePdf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pdf = await whole(bytes);
  if (pdfFault(pdf)) throw new Unusable('no PDF');
  return pdf;
}

async function wholeJson(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const json = await whole(bytes);
  try {
    JSON.parse(json.toString('utf8'));
    return json;
  } catch {
    throw new Unusable('no JSON');
  }
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > BYTES_MAX) throw new Unusable('larger than 20 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
