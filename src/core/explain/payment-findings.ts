/** Why a request is not paid: the rules in order, the first that applies answers. */
import type { PaymentRow } from '../../db/schema.js';
import { addDays, iso } from '../clock.js';
import { resultOf } from '../payment/check-payment.js';
import { openOtherPrice } from '../payment/other-price.js';
import type { PaymentSession } from '../payment/provider.js';
import { finding, type Facts, type Finding } from './finding.js';
import { busy, errorOf, isUnproven } from './signature-findings.js';

/** No bank takes longer for the slow means of payment, as a debit. */
const PENDING_DAYS_MAX = 14;

/** While the request waits for the payment. */
export function paymentFinding(facts: Facts): Finding {
  const { contract, payment } = facts.file;
  if (facts.isBusy) return busy(facts);
  if (facts.file.history.some(({ what }) => what === 'payment.old_session_paid')) {
    const reason = '--reason "paid through an older link"';
    return finding(
      facts,
      'trouble',
      'old_session_paid',
      `requests complete ${facts.file.request.id} ${reason}`,
    );
  }
  if (contract && openOtherPrice(facts.file.history, contract)) {
    const { id } = facts.file.request;
    const next = `requests complete ${id} --reason "paid another amount"`;
    return finding(facts, 'trouble', 'other_price', next, { request: id });
  }
  // A renewal that is under way counts, not the session before it.
  if (!payment || !contract || payment.generation < contract.paymentGeneration) return byPaymentJob(facts);
  if (payment.status === 'expired') return over(facts, payment);
  const answer = facts.view?.payment;
  const { id } = facts.file.request;
  switch (answer?.kind) {
    case 'known':
      return bySession(facts, payment, answer.state);
    case 'gone':
      return payment.pendingSince === null
        ? finding(facts, 'trouble', 'payment_gone', `payments renew ${id}`)
        : finding(facts, 'trouble', 'payment_pending_gone', 'doctor', { date: payment.pendingSince });
    case 'silent':
      return answer.error.reason === 'unauthorized'
        ? finding(facts, 'trouble', 'payment_key', 'doctor')
        : finding(facts, 'trouble', 'payment_down', `payments check ${id}`, { error: answer.error.message });
    case undefined:
      if (payment.pendingSince !== null) return onItsWay(facts, payment);
      return payment.expiresAt !== null && payment.expiresAt <= facts.file.now
        ? over(facts, payment)
        : finding(facts, 'waiting', 'payment_not_asked', `payments check ${id}`);
  }
}

function bySession(facts: Facts, payment: PaymentRow, session: PaymentSession): Finding {
  const { key } = resultOf(session);
  if (key === 'check_payment_success') return paidThere(facts, payment);
  if (key === 'check_payment_info.pending') return onItsWay(facts, payment);
  if (key === 'check_payment_info.expired') return over(facts, payment);
  return finding(facts, 'calm', 'waiting_for_payment', null);
}

/** The customer has paid by a means that takes days: nothing else may be asked of him until its end is known. */
function onItsWay(facts: Facts, { pendingSince }: PaymentRow): Finding {
  const { file } = facts;
  const { id } = file.request;
  const next = `payments check ${id}`;
  if (pendingSince === null) return finding(facts, 'waiting', 'payment_pending', next);
  const isLong = pendingSince <= iso(addDays(new Date(file.now), -PENDING_DAYS_MAX));
  return isLong
    ? finding(facts, 'trouble', 'payment_pending_long', next, { date: pendingSince, request: id })
    : finding(facts, 'waiting', 'payment_pending_since', next, { date: pendingSince });
}

/** The customer has paid, and we did not hear of it. */
function paidThere(facts: Facts, payment: PaymentRow): Finding {
  const { request, rejected } = facts.file;
  const next = `payments check ${request.id}`;
  if (facts.ctx.config.paymentWebhookSecrets.length === 0)
    return finding(facts, 'trouble', 'paid_webhook_off', next);
  const forged = rejected.some(
    (delivery) => delivery.claimedId === payment.paymentId && isUnproven(delivery),
  );
  return finding(facts, 'trouble', forged ? 'paid_webhook_wrong_signature' : 'paid_webhook_lost', next);
}

function over(facts: Facts, { paymentId }: PaymentRow): Finding {
  const { request, history } = facts.file;
  const isRefused = history.some(
    ({ what, detail }) => what === 'payment.failed' && detail.includes(JSON.stringify(paymentId)),
  );
  return finding(
    facts,
    'trouble',
    isRefused ? 'payment_refused' : 'payment_over',
    `payments renew ${request.id}`,
  );
}

function byPaymentJob(facts: Facts): Finding {
  const { jobs, contract, request } = facts.file;
  const job = jobs.findLast(
    ({ kind, contractId }) => kind === 'create-payment-session' && contractId === contract?.id,
  );
  switch (job?.state) {
    case 'failed':
      return finding(facts, 'trouble', 'payment_job_failed', `failed replay ${job.id}`, errorOf(job));
    case 'running':
      return busy(facts);
    case 'available':
      return job.attempt > 0
        ? finding(facts, 'trouble', 'payment_job_retrying', `jobs push ${job.id}`, errorOf(job))
        : busy(facts);
    case 'completed':
    case undefined:
      return finding(facts, 'trouble', 'payment_missing', `payments renew ${request.id}`);
  }
}
