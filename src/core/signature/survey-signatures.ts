/**
 * Classifies what the bulk check finds, and adds what it cannot find: signatures that only the provider knows,
 * missing signed PDFs, payments that only the payment provider knows.
 */
import { findContractBySignId } from '../../db/contracts/contracts.js';
import type { Context } from '../context.js';
import { checkAllPayments } from '../payment/check-all-payments.js';
import {
  checkAllSignatures,
  type BulkCheckOptions,
  type BulkCheckResult,
  type CheckedContract,
} from './check-all-signatures.js';
import { SIGNATURE_CLASSES, type SignatureClass } from './answers.js';
import type { SignatureState } from './provider-answers.js';
import { contractsWithoutPdf } from './signed-pdf.js';

export interface Survey extends BulkCheckResult {
  classes: Record<SignatureClass, number>;
  /** signIds on the account that are unknown here, including other installations'. */
  unknownHere: string[];
  /** Signed contracts whose PDF is missing, or is not the one that was stored. */
  pdfMissing: number[];
  /** Requests paid there but not here. */
  paidThere: number[];
}

/** Asks both providers about everything and changes nothing. Throws a ProviderError when one cannot be reached at all. */
export async function surveySignatures(ctx: Context, options: BulkCheckOptions): Promise<Survey> {
  const unknownHere: string[] = [];
  const onListed = ({ signId }: SignatureState) => {
    if (!findContractBySignId(ctx.db, { signId })) unknownHere.push(signId);
  };
  const checked = await checkAllSignatures(ctx, { ...options, dryRun: true, isWhole: true, onListed });
  const { actor, signal } = options;
  const payments = await checkAllPayments(ctx, { actor, dryRun: true, ...(signal && { signal }) });
  const paid = payments.results.filter(({ key }) => key === 'check_payment_success');
  return {
    ...checked,
    classes: countClasses(checked.results),
    unknownHere,
    pdfMissing: (await contractsWithoutPdf(ctx)).map(({ id }) => id),
    paidThere: paid.map(({ requestId }) => requestId),
  };
}

export function countClasses(results: readonly CheckedContract[]): Survey['classes'] {
  const counts = SIGNATURE_CLASSES.map((name) => [name, results.filter((one) => one.class === name).length]);
  return Object.fromEntries(counts) as Survey['classes'];
}
