/** Why a request is not paid. The first rule that applies answers. */
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { command, type Command } from '../commands.js';
import { resultOf, type PaymentCheckKey } from '../payment/session-result.js';
import { pastErrors } from '../jobs/past-errors.js';
import { acceptedPayment, latePayments, paymentWords, undecidedPayments } from '../payment/payment-case.js';
import { isUncounted } from '../payment/payment-job.js';
import { isPriceOf, moneyWords, unpayable } from '../payment/price.js';
import type { PaymentSession } from '../payment/provider.js';
import { isReplaced, pendingTooLongAt } from '../requests/due-date.js';
import { formatMoney } from '../texts/format.js';
import { busy, finding, type Facts, type Finding } from './finding.js';
import type { AnsweredPayment } from './present-view.js';
import { unfinishedJob } from './job-findings.js';
import { providerUnusable, webhookMissed } from './provider-findings.js';

/** While the request waits for the payment. */
export function paymentFinding(facts: Facts): Finding {
  const { contract, payment, history, request, now } = facts.file;
  if (facts.isBusy) return busy(facts);
  if (undecidedPayments(history).length > 0) return inReview(facts);
  if (!payment || !contract || isReplaced(payment, contract)) return unmade(facts);
  if (isUncounted(payment, request, history)) return settled(facts);
  if (payment.status === 'expired') return over(facts, payment);
  const { payment: asked, answer } = mostTelling(facts, contract) ?? { payment };
  switch (answer?.kind) {
    case 'known':
      return bySession(facts, asked, answer.state);
    case 'gone':
      return payment.pendingSince === null
        ? finding(facts, 'payment_gone')
        : finding(facts, 'payment_pending_gone', {
            date: payment.pendingSince,
            command: [renewing(facts, ...DESPITE_PENDING)],
          });
    case 'silent':
      return providerUnusable(facts, 'payment', answer.error);
    case undefined:
      if (payment.pendingSince !== null) return onItsWay(facts, payment);
      if (payment.expiresAt !== null && payment.expiresAt <= now) return over(facts, payment);
      return isUnsent(facts) ? unmade(facts) : finding(facts, 'payment_not_asked');
  }
}

/** Somebody has decided about the payment that came, and there is no page for another. */
function settled(facts: Facts): Finding {
  if (isUnsent(facts)) return unmade(facts);
  return unfinishedJob(facts, 'create-payment-session') ?? finding(facts, 'payment_settled');
}

/** While other money is on its way, the decision waits, unless that money has taken too long or the provider no longer knows it. */
function inReview(facts: Facts): Finding {
  const { history, request, contract } = facts.file;
  const { locale } = facts.ctx.config;
  const isLate = latePayments(history).length > 0;
  const payments = undecidedPayments(history);
  const key = payments.length > 1 ? 'several_payments' : isLate ? 'old_session_paid' : 'other_price';
  const pending = moneyOnItsWay(facts);
  const isHopeless = (payment: PaymentRow) =>
    isLong(facts, payment) || answerAbout(facts, payment)?.kind === 'gone';
  if (!pending.every(isHopeless)) return finding(facts, 'payment_undecided');
  // Another amount is not accepted by a command that is only pasted.
  const [decision, reason] =
    key === 'other_price'
      ? (['payments renew', 'refunded'] as const)
      : (['requests complete', isLate ? 'paid through an outdated link' : 'paid another amount'] as const);
  const options = pending.length > 0 ? DESPITE_PENDING : [];
  const next: Command = { ...command(decision, request.id), options, reason };
  const told = { payments: paymentWords(locale, payments), accepted: acceptedPayment(history) ?? '–' };
  const price = contract ? formatMoney(locale, contract.amount, contract.currency) : '–';
  return finding(facts, key, { command: [renewing(facts, ...options)], price, ...told }, next);
}

const DESPITE_PENDING = ['--despite-pending'];

/** Advised in the words. */
function renewing({ file }: Facts, ...options: string[]): Command {
  return { ...command('payments renew', file.request.id), options: [...options, '--reason', '…'] };
}

/** Through sessions of the contract that counts, as far as we or the provider know. */
function moneyOnItsWay(facts: Facts): PaymentRow[] {
  const { payments, contract } = facts.file;
  return payments.filter((payment) => {
    const answer = answerAbout(facts, payment);
    const isTold = answer?.kind === 'known' && resultOf(answer.state).key === 'check_payment_info.pending';
    const isOpen = payment.contractId === contract?.id && payment.status === 'open';
    return isOpen && (payment.pendingSince !== null || isTold);
  });
}

/** Undefined: not asked. */
function answerAbout({ view }: Facts, { paymentId }: PaymentRow): AnsweredPayment['answer'] | undefined {
  return view?.payments.find(({ payment }) => payment.paymentId === paymentId)?.answer;
}

/** Of several pages that of the gravest news; the one that counts comes first. Undefined: not asked. */
function mostTelling({ view }: Facts, { id }: ContractRow): AnsweredPayment | undefined {
  const asked = view?.payments.filter(({ payment }) => payment.contractId === id) ?? [];
  const [first] = asked;
  const inState = (key: PaymentCheckKey) =>
    asked.find(({ answer }) => answer.kind === 'known' && resultOf(answer.state).key === key);
  const onItsWay = first?.payment.pendingSince == null ? inState('check_payment_info.pending') : first;
  return inState('check_payment_success') ?? onItsWay ?? inState('check_payment_info.open') ?? first;
}

function bySession(facts: Facts, payment: PaymentRow, session: PaymentSession): Finding {
  const { key } = resultOf(session);
  if (key === 'check_payment_success') return paidThere(facts, payment, session);
  if (key === 'check_payment_info.pending') return onItsWay(facts, payment);
  if (key === 'check_payment_info.expired') return over(facts, payment);
  return isUnsent(facts) ? unmade(facts) : finding(facts, 'waiting_for_payment');
}

/** The customer never got our link to a session that was only found. */
function isUnsent({ file }: Facts): boolean {
  return file.request.payToken === null;
}

/** There is no link to pay: its job waits or has failed, or nothing is working on it. */
function unmade(facts: Facts): Finding {
  return (
    unpayableThere(facts) ??
    unfinishedJob(facts, 'create-payment-session') ??
    finding(facts, 'payment_missing')
  );
}

/** No page can ever be made for the price: by what we know of the currency, or by the provider's refusal. */
function unpayableThere(facts: Facts): Finding | undefined {
  const { contract, jobs, request } = facts.file;
  if (!contract) return undefined;
  const { locale } = facts.ctx.config;
  const job = jobs.findLast(
    (each) => each.kind === 'create-payment-session' && each.contractId === contract.id,
  );
  const refusal = job && job.state !== 'completed' ? pastErrors(job).at(-1) : undefined;
  const isTooSmall = refusal?.type === 'amount_too_small';
  const price = formatMoney(locale, contract.amount, contract.currency);
  const found =
    unpayable(locale, contract) ?? (isTooSmall ? { price, fault: `${refusal.error}.` } : undefined);
  const next = { ...command('requests complete', request.id), reason: '…' };
  return found && finding(facts, 'payment_unpayable', { ...found }, next);
}

/** The customer has paid by a means that takes days and must not be asked again until the result is known. */
function onItsWay(facts: Facts, payment: PaymentRow): Finding {
  const { pendingSince: date } = payment;
  if (date === null) return finding(facts, 'payment_pending');
  return isLong(facts, payment)
    ? finding(facts, 'payment_pending_long', { date, command: [renewing(facts, ...DESPITE_PENDING)] })
    : finding(facts, 'payment_pending_since', { date });
}

function isLong({ file: { now } }: Facts, { pendingSince }: PaymentRow): boolean {
  return pendingSince !== null && pendingTooLongAt(pendingSince) <= now;
}

/** The customer has paid, but the webhook did not reach us. */
function paidThere(
  facts: Facts,
  { paymentId, amount, currency }: PaymentRow,
  { money }: PaymentSession,
): Finding {
  if (!isPriceOf({ amount, currency }, money)) {
    const { locale } = facts.ctx.config;
    const told = { paid: moneyWords(locale, money), price: formatMoney(locale, amount, currency) };
    return finding(facts, 'other_price_there', told);
  }
  return webhookMissed(facts, 'payment', paymentId);
}

function over(facts: Facts, { contractId, createdAt }: PaymentRow): Finding {
  if (isUnsent(facts)) return unmade(facts);
  // Or of another page, while this one was open.
  const isRefused = facts.file.history.some(
    ({ what, contractId: about, at }) => what === 'payment.failed' && about === contractId && at >= createdAt,
  );
  // The link in the customer's mail makes a new session when it is opened.
  return isRefused ? finding(facts, 'payment_refused') : finding(facts, 'payment_over');
}
