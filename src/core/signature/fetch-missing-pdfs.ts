/** Signed PDFs that got lost on our side, or have another size, are fetched again: the provider keeps them. */
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { fetchPdf } from './signed-pdf.js';
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
    const error = await fetchPdf(ctx, contract, { actor, mustBeSame: true }).then(() => null, describeError);
    fetched.push({ requestId: contract.requestId, contractId: contract.id, error });
  }
  return fetched;
}
