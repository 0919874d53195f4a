/** Why a request is not paid. The first rule that applies answers. */
import type { PaymentRow } from '../../db/schema.js';
import { command, type Command } from '../commands.js';
import { ABSENT, type Answers } from '../payment/answers.js';
import { decidePayment, type PaymentDecision } from '../payment/decide.js';
import { factsOf, pendingPayments, refusedSince } from '../payment/our-payments.js';
import { acceptedPayment, paymentWords } from '../payment/payment-cases.js';
import { pastErrors } from '../jobs/past-errors.js';
import { isPriceOf, moneyWords, unpayable } from '../payment/price.js';
import { pendingTooLongAt } from '../requests/due-date.js';
import { formatMoney, type Money } from '../texts/format.js';
import { finding, type Facts, type Finding } from './finding.js';
import { unfinishedJob } from './job-findings.js';
import { providerUnusable, webhookMissed } from './provider-findings.js';

/** While the request waits for the payment: how it stands by the provider's answers, as far as it was asked. */
export function paymentFinding(facts: Facts): Finding {
  if (facts.isBusy) return finding(facts, 'busy');
  const answers = answersIn(facts);
  const { standing, effects } = decidePayment(factsOf(facts.ctx.db, facts.file, answers));
  const news = whatIsNew(facts, effects, answers);
  if (news) return news;
  switch (standing) {
    case 'case':
      return inReview(facts);
    case 'on_its_way':
      return silent(facts) ?? onItsWay(facts, answers);
    case 'payable':
      return silent(facts) ?? payable(facts, answers);
    case 'no_page':
    case 'not_due':
    case 'paid':
      return noPage(facts, answers);
  }
}

/** What the provider said of each session. */
function answersIn({ view }: Facts): Answers {
  return new Map(
    view?.payments.flatMap(({ payment: { paymentId }, answer }) => {
      if (answer.kind === 'silent') return [];
      return [[paymentId, answer.kind === 'known' ? answer.state : ABSENT] as const];
    }),
  );
}

/** The customer has paid, and we were not told. */
function whatIsNew(facts: Facts, effects: PaymentDecision['effects'], answers: Answers): Finding | undefined {
  const paid = effects.find((each) => each.do === 'keep' && (each.state === 'paid' || each.state === 'case'));
  if (paid?.do !== 'keep') return undefined;
  const money = answers.get(paid.paymentId)?.money ?? { amount: null, currency: null };
  return paid.state === 'paid'
    ? webhookMissed(facts, 'payment', paid.paymentId)
    : otherPriceThere(facts, money);
}

function otherPriceThere(facts: Facts, money: Money): Finding {
  const { locale } = facts.ctx.config;
  const told = { paid: moneyWords(locale, money), price: priceWords(facts) };
  return finding(facts, 'other_price_there', told);
}

function priceWords({ file: { contract }, ctx }: Facts): string {
  return contract ? formatMoney(ctx.config.locale, contract.amount, contract.currency) : '–';
}

/** About the session that is shown. */
function silent(facts: Facts): Finding | undefined {
  const { payment } = facts.file;
  const asked = facts.view?.payments.find((one) => one.payment.paymentId === payment?.paymentId);
  return asked?.answer.kind === 'silent' ? providerUnusable(facts, 'payment', asked.answer.error) : undefined;
}

function payable(facts: Facts, answers: Answers): Finding {
  const { payment, now } = facts.file;
  if (isUnsent(facts)) return unmade(facts);
  if (answers.size > 0) return finding(facts, 'waiting_for_payment');
  const isPast = payment?.expiresAt != null && payment.expiresAt <= now;
  return isPast ? finding(facts, 'payment_over') : finding(facts, 'payment_not_asked');
}

/** The link in the customer's mail makes a new page when it is opened. */
function noPage(facts: Facts, answers: Answers): Finding {
  const { payment, payments, contract } = facts.file;
  if (!payment || isUnsent(facts)) return unmade(facts);
  const job = unfinishedJob(facts, 'create-payment-session');
  if (job) return job;
  if (refusedSince(facts.file) !== undefined) return finding(facts, 'payment_refused');
  const newest = payments.findLast(({ contractId }) => contractId === contract?.id);
  if (newest?.state === 'given_up') return finding(facts, 'payment_settled', { cause: 'given_up' });
  if (answers.get(payment.paymentId)?.theirs === 'absent') return finding(facts, 'payment_gone');
  return newest?.state === 'settled'
    ? finding(facts, 'payment_settled', { cause: 'settled' })
    : finding(facts, 'payment_over');
}

function inReview(facts: Facts): Finding {
  const { payments, request, contracts } = facts.file;
  const { locale } = facts.ctx.config;
  const undecided = payments.filter(({ state }) => state === 'case');
  const isOther = (one: PaymentRow) =>
    contracts.some((contract) => contract.id === one.contractId && !isPriceOf(contract, one));
  const key =
    undecided.length > 1 ? 'several_payments' : undecided.some(isOther) ? 'other_price' : 'old_session_paid';
  // Another amount is not accepted by a command that is only pasted.
  const [decision, reason] =
    key === 'other_price'
      ? (['payments renew', 'refunded'] as const)
      : ([
          'requests complete',
          undecided.every(isOther) ? 'paid another amount' : 'paid through an outdated link',
        ] as const);
  const next: Command = { ...command(decision, request.id), reason };
  const other = advised(facts, decision === 'payments renew' ? 'requests complete' : 'payments renew');
  const accepted = acceptedPayment(facts.file, undecided)?.paymentId ?? '–';
  const told = { payments: paymentWords(locale, undecided), accepted };
  return finding(facts, key, { command: [other], price: priceWords(facts), ...told }, next);
}

/**
 * The customer has paid by a means that takes days and must not be asked again until the result is known. A case beside it has to wait, too, unless
 * that money has taken too long or the provider no longer knows it.
 */
function onItsWay(facts: Facts, answers: Answers): Finding {
  const { payments, now } = facts.file;
  const pending = pendingPayments(facts.file);
  const isGone = ({ paymentId }: PaymentRow) => answers.get(paymentId)?.theirs === 'absent';
  const isLong = ({ pendingSince }: PaymentRow) =>
    pendingSince !== null && pendingTooLongAt(pendingSince) <= now;
  const hopeful = pending.findLast((one) => !isGone(one) && !isLong(one));
  const payment = hopeful ?? pending.at(-1);
  if ((hopeful || !payment) && payments.some(({ state }) => state === 'case'))
    return finding(facts, 'payment_undecided');
  // By the provider alone: a check stores it.
  const date = payment?.pendingSince ?? now;
  const params = { date, command: [advised(facts, 'payments give-up')] as const };
  if (payment && isGone(payment)) return finding(facts, 'payment_pending_gone', params);
  return payment && isLong(payment)
    ? finding(facts, 'payment_pending_long', params)
    : finding(facts, 'payment_pending', { date });
}

/** Named in the words. */
function advised(
  { file }: Facts,
  name: 'payments renew' | 'payments give-up' | 'requests complete',
): Command {
  return { ...command(name, file.request.id), options: ['--reason', '…'] };
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
