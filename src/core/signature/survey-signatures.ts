/**
 * What the bulk check finds, sorted into classes, and beside it what no check of a waiting contract can find: signatures
 * that only the provider knows, signed PDFs that are not on disk, payments that only the payment provider knows of.
 */
import { statSync } from 'node:fs';
import { findContractBySignId, listSignedContracts } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { signedPdfPath } from '../contracts/contract-files.js';
import { checkAllPayments } from '../payment/check-all-payments.js';
import {
  checkAllSignatures,
  type BulkCheckOptions,
  type BulkCheckResult,
  type CheckedContract,
} from './check-all-signatures.js';
import type { SignatureState } from './provider.js';

/** Of a contract that waits here. `over`: ended here, and still open there. `waiting`: nothing has happened there either. */
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
  /** signIds of all signatures on the account that no contract here knows, other installations' too. */
  unknownHere: string[];
  /** Signed contracts whose PDF is not on disk. */
  pdfMissing: number[];
  /** Requests that are paid there and wait for it here. */
  paidThere: number[];
}

/** Asks both providers about everything, and changes nothing. Throws a ProviderError when one cannot be asked at all. */
export async function surveySignatures(ctx: Context, options: BulkCheckOptions): Promise<Survey> {
  const unknownHere: string[] = [];
  const onListed = ({ signId }: SignatureState) => {
    if (!findContractBySignId(ctx.db, signId)) unknownHere.push(signId);
  };
  const checked = await checkAllSignatures(ctx, { ...options, dryRun: true, isWhole: true, onListed });
  const { actor, signal } = options;
  const payments = await checkAllPayments(ctx, { actor, dryRun: true, ...(signal && { signal }) });
  const paid = payments.results.filter(({ key }) => key === 'check_payment_success');
  return {
    ...checked,
    classes: countClasses(checked.results),
    unknownHere,
    pdfMissing: contractsWithoutPdf(ctx).map(({ id }) => id),
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

/** `rejected` and `deleted` there mean for us what `declined` and `canceled` mean. */
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

const PAGE = 500;

/** There, and of the size that was stored; whether it is whole, only reading it tells. */
function isThere(ctx: Context, { id, pdfSize }: ContractRow): boolean {
  return statSync(signedPdfPath(ctx, id), { throwIfNoEntry: false })?.size === pdfSize;
}

export function contractsWithoutPdf(ctx: Context): ContractRow[] {
  const missing: ContractRow[] = [];
  for (let after = 0; ;) {
    const page = listSignedContracts(ctx.db, { after, limit: PAGE });
    missing.push(...page.filter((contract) => !isThere(ctx, contract)));
    if (page.length < PAGE) return missing;
    after = (page.at(-1) as ContractRow).id;
  }
}
