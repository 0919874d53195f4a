/** The kinds of need: which finding is one, and since when (rules 12). What is wrong is decided by the findings alone. */
import type { CaseFile, CaseWord } from '../explain/case-file.js';
import type { FindingKey } from '../explain/finding.js';
import { undecidedPayments } from '../payment/payment-case.js';
import { pastErrors } from '../jobs/past-errors.js';

export const NEED_KINDS = [
  'held',
  'not_sent',
  'ended',
  'expired',
  'late',
  'foreign',
  'unknown',
  'signed_elsewhere',
  'payment',
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

/** Null: seen only by asking a provider, said once for all requests, mended by itself when the customer comes, or no trouble. */
const KIND_OF: Readonly<Record<FindingKey, NeedKind | null>> = {
  not_started: null,
  start_unfinished: 'not_sent',
  start_refused: 'not_sent',
  start_pdf_lost: 'not_sent',
  start_ended: 'ended',
  sending_unknown: 'not_sent',
  sending_got_through: 'not_sent',
  sending_signed: 'not_sent',
  signer_name: 'not_sent',
  signer_letter: 'not_sent',
  signer_email: 'not_sent',
  busy: null,
  contract_missing: 'not_sent',
  start_unpayable: 'not_sent',
  sent_unpayable: 'payment',
  payment_unpayable: 'payment',
  reset_unfinished: 'not_sent',
  reset_refused: 'not_sent',
  provider_key: null,
  provider_forbids: null,
  provider_unrecognised: null,
  provider_down: null,
  signed_late: 'late',
  foreign_signature: 'foreign',
  // Listed as the document.
  second_document_signed: null,
  second_document_open: null,
  waiting_for_customer: null,
  draft_there: 'not_sent',
  status_unknown: null,
  signature_not_asked: null,
  sign_link_over: null,
  ended_declined: 'ended',
  ended_declined_because: 'ended',
  ended_canceled: 'ended',
  ended_signer_error: 'ended',
  ended_rejected: 'ended',
  ended_deleted: 'ended',
  ended_expired: 'expired',
  ended_not_found: 'ended',
  ended_but_ongoing: 'ended',
  ended_date_passed: 'expired',
  ended_reset: 'not_sent',
  completion_failed: 'job_failed',
  completion_retrying: 'job_failed',
  webhook_lost: null,
  webhook_wrong_signature: null,
  webhook_turned_away: null,
  payment_job_failed: 'job_failed',
  payment_job_retrying: null,
  payment_missing: 'payment',
  payment_gone: 'payment',
  payment_key: null,
  payment_down: null,
  payment_not_asked: null,
  payment_pending: null,
  payment_pending_since: null,
  payment_undecided: null,
  payment_pending_long: 'payment',
  payment_pending_gone: 'payment',
  payment_over: null,
  payment_settled: null,
  payment_refused: 'payment',
  waiting_for_payment: null,
  paid_webhook_lost: null,
  paid_webhook_off: null,
  paid_webhook_wrong_signature: null,
  paid_webhook_thin: null,
  old_session_paid: 'payment',
  other_price: 'payment',
  other_price_there: null,
  several_payments: 'payment',
  paid_unsigned: 'payment',
  paid_twice: 'payment',
  earlier_contract_paid: 'payment',
  second_payment_pending: null,
  canceled: null,
  canceled_erased: null,
  canceled_signed: 'signed_elsewhere',
  canceled_paid: 'payment',
  canceled_signed_erased: 'signed_elsewhere',
  canceled_paid_erased: 'payment',
  finished: null,
  old_contract_signed: 'signed_elsewhere',
  contract_replaced: 'signed_elsewhere',
  pdf_missing: 'document',
  pdf_damaged: 'document',
  subscription_disabled: null,
  delivery_missed: null,
  mail_refused: 'mail_refused',
  mail_address: 'mail_refused',
  mail_server: null,
  signer_refused: 'mail_refused',
  signer_differs: 'signer',
  jobs_failed: 'job_failed',
  jobs_retrying: null,
  daemon_down: null,
  held: null,
  deliveries_turned_away: null,
};

export function kindOfNeed(key: FindingKey): NeedKind | null {
  return KIND_OF[key];
}

/** Since when; undefined when the file does not say. */
export function sinceOf(kind: NeedKind, file: CaseFile): string | undefined {
  const { contract, payment, jobs } = file;
  switch (kind) {
    case 'not_sent':
      return contract?.activationAskedAt ?? contract?.createdAt;
    case 'ended':
      return last(file, 'contract.ended');
    case 'expired':
      return contract?.expiredAt ?? undefined;
    case 'late':
      return last(file, 'contract.signed_late');
    case 'foreign':
      return last(file, 'contract.foreign_signature');
    case 'signed_elsewhere':
      return last(file, 'contract.canceled_signed', 'contract.replaced_signed');
    case 'payment':
      return (
        undecidedPayments(file.history)[0]?.at ??
        last(file, 'payment.failed') ??
        payment?.pendingSince ??
        undefined
      );
    case 'mail_refused':
      return jobs.flatMap((job) => pastErrors(job).filter(({ reason }) => reason === 'recipient_refused'))[0]
        ?.at;
    case 'signer':
      return correctionBegun(file);
    case 'job_failed':
      return jobs
        .flatMap(({ state, finishedAt }) => (state === 'failed' && finishedAt ? [finishedAt] : []))
        .sort()[0];
    case 'document':
      return contract?.signedAt ?? undefined;
    case 'held':
    case 'unknown':
    case 'payment_webhook':
    case 'webhook_disabled':
    case 'run_failing':
    case 'mail_server':
      return undefined;
  }
}

/** When the correction of the signer was first tried. */
function correctionBegun({ jobs }: CaseFile): string | undefined {
  const job = jobs.findLast(({ kind }) => kind === 'correct-signer');
  return job && (pastErrors(job)[0]?.at ?? job.createdAt);
}

function last({ history }: CaseFile, ...words: CaseWord[]): string | undefined {
  return history.findLast(({ what }) => words.includes(what))?.at;
}
