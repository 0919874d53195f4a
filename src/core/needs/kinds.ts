/** The kinds of need: which finding is one, and since when (rules 12). What is wrong is decided by the findings alone. */
import type { CaseKind } from '../../db/schema.js';
import type { CaseFile } from '../explain/case-file.js';
import { refusedSince } from '../payment/our-payments.js';
import { pastErrors } from '../jobs/past-errors.js';

export const NEED_KINDS = [
  'held',
  'new_request',
  'not_sent',
  'ended',
  'expired',
  'late',
  'foreign',
  'unknown',
  'second_document',
  'signed_elsewhere',
  'payment',
  'unpaid',
  'term_ends',
  'payment_webhook',
  'mail_refused',
  'mail_server',
  'signer',
  'job_failed',
  'document',
  'webhook_disabled',
  'run_failing',
] as const;

export type NeedKind = (typeof NEED_KINDS)[number];

/** Since when; undefined when the file does not say. */
export function sinceOf(kind: NeedKind, file: CaseFile): string | undefined {
  const { contract, payment, jobs } = file;
  switch (kind) {
    case 'not_sent':
      return contract?.activationAskedAt ?? contract?.createdAt;
    case 'ended':
      return contract?.endedAt ?? undefined;
    case 'expired':
      return contract?.expiredAt ?? undefined;
    case 'late':
      return openedAt(file, 'signed_late');
    case 'term_ends':
      return openedAt(file, 'term_ends');
    case 'foreign':
      return openedAt(file, 'foreign_signature');
    case 'signed_elsewhere':
      return openedAt(file, 'canceled_signed', 'replaced_signed');
    case 'payment':
      return (
        file.cases.find((one) => one.kind === 'payment')?.openedAt ??
        refusedSince(file) ??
        payment?.pendingSince ??
        file.payments.find(({ state }) => state === 'pending')?.pendingSince ??
        undefined
      );
    case 'mail_refused':
      return (
        jobs.flatMap((job) => pastErrors(job).filter(({ reason }) => reason === 'recipient_refused'))[0]
          ?.at ?? openedAt(file, 'recipient_refused')
      );
    case 'signer':
      return correctionBegun(file);
    case 'job_failed':
      return jobs
        .flatMap(({ state, finishedAt }) => (state === 'failed' && finishedAt ? [finishedAt] : []))
        .sort()[0];
    case 'document':
      return contract?.signedAt ?? undefined;
    case 'new_request':
    case 'unpaid':
    case 'held':
    case 'unknown':
    case 'second_document':
    case 'payment_webhook':
    case 'webhook_disabled':
    case 'run_failing':
    case 'mail_server':
      return undefined;
  }
}

function correctionBegun({ jobs }: CaseFile): string | undefined {
  const job = jobs.findLast(({ kind }) => kind === 'correct-signer');
  return job && (pastErrors(job)[0]?.at ?? job.createdAt);
}

function openedAt({ cases }: CaseFile, ...kinds: CaseKind[]): string | undefined {
  return cases.findLast(({ kind }) => kinds.includes(kind))?.openedAt;
}
