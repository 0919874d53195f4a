/** Signed PDFs that got lost on our side are fetched again: the provider keeps them. */
import { setPdf } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { saveSignedPdf } from '../contracts/contract-files.js';
import { describeError } from '../errors.js';
import { record } from '../history.js';
import { contractsWithoutPdf } from './survey-signatures.js';

export interface FetchedPdf {
  requestId: number;
  contractId: number;
  /** Null: it is there again. */
  error: string | null;
}

/** One that fails does not stop the others. */
export async function fetchMissingPdfs(
  ctx: Context,
  { actor, signal }: { actor: Actor; signal?: AbortSignal },
): Promise<FetchedPdf[]> {
  const fetched: FetchedPdf[] = [];
  for (const contract of contractsWithoutPdf(ctx)) {
    if (signal?.aborted) break;
    const error = await fetchPdf(ctx, contract, actor).then(() => null, describeError);
    fetched.push({ requestId: contract.requestId, contractId: contract.id, error });
  }
  return fetched;
}

async function fetchPdf(ctx: Context, { id, requestId, signId }: ContractRow, actor: Actor): Promise<void> {
  if (!signId) throw new Error('the contract has no signId');
  const stored = await ctx.provider.downloadDocument(signId, (pdf) => saveSignedPdf(ctx, id, pdf));
  await ctx.writer.write((db) => {
    setPdf(db, { id, ...stored });
    const at = iso(ctx.clock.now());
    record(db, { at, actor, what: 'contract.pdf_fetched', requestId, contractId: id, detail: { ...stored } });
  });
}
