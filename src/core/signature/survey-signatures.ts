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
import type { SignatureState } from './provider-answers.js';
import { contractsWithoutPdf } from './signed-pdf.js';

/** Classes of waiting contracts. `over`: ended here, still open there. `waiting`: nothing has happened there either. */
export const SIGNATURE_CLASSES = [
  'signed',
  'expired',
  'declined',
  'canceled',
  'gone',
  'late',
  'over',
  'waiting',
  'failed',
] as const;

export type SignatureClass = (typeof SIGNATURE_CLASSES)[number];

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

export function countClasses(results: readonly CheckedContract[]): Record<SignatureClass, number> {
  const counts = Object.fromEntries(SIGNATURE_CLASSES.map((name) => [name, 0])) as Record<
    SignatureClass,
    number
  >;
  for (const result of results) counts[classOf(result)] += 1;
  return counts;
}

/** `rejected` and `deleted` count as `declined` and `canceled`. */
export function classOf({
  type,
  key,
  params,
}: Pick<CheckedContract, 'type' | 'key' | 'params'>): SignatureClass {
  switch (key) {
    case 'check_signature_success':
    case 'payment_creation_failed':
      return 'signed';
    case 'check_signature_info.expired':
      return 'expired';
    case 'signature_not_found':
      return 'gone';
    case 'foreign_signature':
      return 'failed';
    case 'contract_expired':
      return params['status'] === undefined ? 'late' : 'over';
    case 'check_signature_info.status':
      return OF_STATUS[params['status'] ?? ''] ?? 'waiting';
    default:
      return type === 'error' ? 'failed' : 'waiting';
  }
}

const OF_STATUS: Readonly<Record<string, SignatureClass>> = {
  declined: 'declined',
  rejected: 'declined',
  canceled: 'canceled',
  deleted: 'canceled',
};
