/**
 * What to answer a customer who asks (rules 10): three sentences about the present state of the request, in the language of
 * the mails to customers, without words of ours such as statuses, ids or commands.
 */
import { payLink } from '../payment/pay-link.js';
import type { Context } from '../context.js';
import { formatDay, formatMoney } from '../texts/format.js';
import { text, type TextKey } from '../texts/index.js';
import { oneLine } from '../texts/plain.js';
import { localeOf } from '../users/reader.js';
import type { CaseFile } from './case-file.js';
import type { Finding, FindingKey } from './finding.js';

type Reply = TextKey extends infer K ? (K extends `reply.${infer Name}` ? Name : never) : never;

/** Null: it does not concern the customer, who is told what else is found. */
const REPLY_TO: Readonly<Record<FindingKey, Reply | null>> = {
  not_started: 'preparing',
  start_unfinished: 'preparing',
  start_refused: 'preparing',
  start_pdf_lost: 'preparing',
  start_ended: 'new_contract',
  sending_unknown: 'checking',
  sending_got_through: 'sign',
  sending_signed: 'signed',
  signer_name: 'preparing',
  signer_letter: 'preparing',
  signer_email: 'preparing',
  busy: 'checking',
  start_unpayable: 'preparing',
  contract_missing: 'new_contract',
  reset_unfinished: 'new_contract',
  reset_refused: 'new_contract',
  provider_key: 'checking',
  provider_forbids: 'checking',
  provider_unrecognised: 'checking',
  provider_down: 'checking',
  signed_late: 'late',
  foreign_signature: 'new_contract',
  second_document_signed: 'checking',
  second_document_open: 'checking',
  waiting_for_customer: 'sign',
  draft_there: 'new_contract',
  status_unknown: 'checking',
  signature_not_asked: 'sign',
  sign_link_over: 'sign',
  sent_unpayable: 'new_contract',
  ended_declined: 'declined',
  ended_declined_because: 'declined',
  ended_canceled: 'new_contract',
  ended_signer_error: 'new_contract',
  ended_rejected: 'new_contract',
  ended_deleted: 'new_contract',
  ended_expired: 'sign_over',
  ended_not_found: 'new_contract',
  ended_but_ongoing: 'new_contract',
  ended_date_passed: 'sign_over',
  ended_reset: 'new_contract',
  completion_failed: 'signed',
  completion_retrying: 'signed',
  webhook_lost: 'signed',
  webhook_wrong_signature: 'signed',
  webhook_turned_away: 'signed',
  payment_job_failed: 'pay_soon',
  payment_job_retrying: 'pay_soon',
  payment_missing: 'pay_soon',
  payment_unpayable: 'checking',
  payment_gone: 'pay',
  payment_key: 'checking',
  payment_down: 'checking',
  payment_not_asked: 'pay',
  payment_pending: 'pay_pending',
  payment_pending_since: 'pay_pending',
  payment_pending_long: 'pay_pending',
  payment_pending_gone: 'pay_check',
  payment_over: 'pay',
  payment_settled: 'pay',
  payment_refused: 'pay_failed',
  waiting_for_payment: 'pay',
  paid_webhook_lost: 'paid',
  paid_webhook_off: 'paid',
  paid_webhook_wrong_signature: 'paid',
  paid_webhook_thin: 'paid',
  payment_undecided: 'pay_check',
  old_session_paid: 'pay_check',
  other_price: 'pay_check',
  other_price_there: 'pay_check',
  several_payments: 'pay_check',
  paid_unsigned: 'pay_check',
  paid_twice: 'pay_check',
  earlier_contract_paid: 'pay_check',
  second_payment_pending: null,
  canceled: 'canceled',
  canceled_erased: null,
  canceled_signed: 'after_cancel',
  canceled_paid: 'after_cancel',
  canceled_signed_erased: null,
  canceled_paid_erased: null,
  finished: 'complete',
  old_contract_signed: 'replaced',
  contract_replaced: 'replaced',
  pdf_missing: null,
  pdf_damaged: null,
  subscription_disabled: null,
  delivery_missed: null,
  mail_refused: null,
  mail_address: null,
  mail_server: null,
  signer_refused: 'sign',
  signer_differs: 'sign',
  jobs_failed: null,
  jobs_retrying: null,
  daemon_down: null,
  held: null,
  deliveries_turned_away: null,
};

/** `findings` are those of the moment, most serious first. */
export function replyTo({ config }: Context, file: CaseFile, findings: readonly Finding[]): string {
  const { timeZone, baseUrl } = config;
  const { request, contract, customer } = file;
  const locale = localeOf(config, customer);
  const [answer = 'checking'] = findings.flatMap(({ key }) => REPLY_TO[key] ?? []);
  const reply = answer === 'sign' && hasOldLink(file) ? 'sign_newest' : answer;
  const link = payLink(baseUrl, request);
  return text(locale, `reply.${link === null && NEEDS_LINK.includes(reply) ? 'pay_soon' : reply}`, {
    title: oneLine(request.title),
    reference: request.reference,
    date: contract?.expiredAt ? formatDay({ locale, timeZone }, contract.expiredAt) : '–',
    amount: contract ? formatMoney(locale, contract.amount, contract.currency) : '–',
    link: link ?? '',
  });
}

/** The customer also has the mail of a contract that does not count any more. */
function hasOldLink({ contract, contracts }: CaseFile): boolean {
  return contracts.some(({ id, signId }) => id !== contract?.id && signId !== null);
}

const NEEDS_LINK: readonly Reply[] = ['pay', 'pay_failed'];
