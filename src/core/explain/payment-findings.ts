/** Why a request is not paid. The first rule that applies answers. */
import { command, type Command } from '../commands.js';
import { ProviderError } from '../http/provider-error.js';
import { answerAbout, type Answers } from '../payment/answers.js';
import { decidePayment, keptIn, type PaymentDecision } from '../payment/decide.js';
import { factsOf, pendingPayments, refusedSince } from '../payment/our-payments.js';
import { willHaveLink } from '../payment/pay-link.js';
import { acceptedPayment, paymentWords, troubleWith, undecidedPayments } from '../payment/payment-cases.js';
import { pastErrors } from '../jobs/past-errors.js';
import { moneyWords, unpayable } from '../payment/price.js';
import { overdueSince, pendingTooLongAt } from '../requests/too-long.js';
import { formatMoney } from '../texts/format.js';
import { finding, withReason, type Facts, type Finding } from './finding.js';
import type { FindingKey } from './findings-table.js';
import { openJob, unfinishedJob } from './job-findings.js';
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
      return undecided(facts);
    case 'on_its_way':
      return silent(facts) ?? onItsWay(facts, answers);
    case 'payable':
      return orOverdue(facts, silent(facts) ?? payable(facts, answers));
    case 'no_page':
    case 'not_due':
    case 'paid':
      return orOverdue(facts, noPage(facts, answers));
  }
}

const PAYABLE: readonly FindingKey[] = ['waiting_for_payment', 'payment_not_asked', 'payment_over'];

/** Where nothing is wrong but that the customer has not paid for so long. */
function orOverdue(facts: Facts, found: Finding): Finding {
  const { request, now } = facts.file;
  const { statusSince: date } = request;
  const isOverdue = PAYABLE.includes(found.key) && date <= overdueSince(facts.ctx.config, new Date(now));
  return isOverdue ? finding(facts, 'unpaid_long', { date }) : found;
}

function answersIn({ view }: Facts): Answers {
  return new Map(
    [...(view?.payments ?? [])].flatMap(([paymentId, said]) =>
      said instanceof ProviderError ? [] : [[paymentId, said] as const],
    ),
  );
}

/** The customer has paid, and we were not told. */
function whatIsNew(facts: Facts, effects: PaymentDecision['effects'], answers: Answers): Finding | undefined {
  const news = keptIn(effects).find(({ state }) => state === 'paid' || state === 'case');
  if (!news) return undefined;
  if (news.state === 'paid') return webhookMissed(facts, 'payment', news.paymentId);
  const paid = moneyWords(facts.ctx.config.locale, answerAbout(answers, news.paymentId).money);
  const told = { cause: 'other_price_there', paid, price: priceWords(facts) } as const;
  return finding(facts, 'payment_case', told, command('payments check', facts.file.request.id));
}

function priceWords({ file: { contract }, ctx }: Facts): string {
  return contract ? formatMoney(ctx.config.locale, contract.amount, contract.currency) : '–';
}

/** About the session that is shown. */
function silent(facts: Facts): Finding | undefined {
  const said = facts.view?.payments.get(facts.file.payment?.paymentId ?? '');
  return said instanceof ProviderError ? providerUnusable(facts, 'payment', said) : undefined;
}

function payable(facts: Facts, answers: Answers): Finding {
  const { payment, now } = facts.file;
  if (isUnsent(facts)) return unmade(facts);
  if (answers.size > 0) return finding(facts, 'waiting_for_payment');
  const isPast = payment?.expiresAt != null && payment.expiresAt <= now;
  return isPast ? finding(facts, 'payment_over', { cause: 'expired' }) : finding(facts, 'payment_not_asked');
}

/** The link in the customer's mail makes a new page when it is opened. */
function noPage(facts: Facts, answers: Answers): Finding {
  const { payment } = facts.file;
  if (!payment || isUnsent(facts) || isGivenUpUnsent(facts)) return unmade(facts);
  const job = unfinishedJob(facts, 'create-payment-session');
  if (job) return job;
  if (refusedSince(facts.file) !== undefined) return finding(facts, 'payment_missing', { cause: 'refused' });
  const { state, paymentId } = payment;
  if (state !== 'given_up' && answerAbout(answers, paymentId).theirs === 'absent')
    return finding(facts, 'payment_missing', { cause: 'gone' });
  const cause = state === 'given_up' || state === 'settled' ? state : 'expired';
  return finding(facts, 'payment_over', { cause });
}

/** A person accepts the money or pays it back. */
function undecided(facts: Facts): Finding {
  const { file, ctx } = facts;
  const cases = undecidedPayments(file);
  const isOther = cases.every((one) => troubleWith(file, one) === 'other_price');
  const cause = cases.length > 1 ? 'several_payments' : isOther ? 'other_price' : 'old_session_paid';
  const complete = command('requests complete', file.request.id);
  const renew = command('payments renew', file.request.id);
  // Another amount is not accepted by a command that is only pasted.
  const [next, other]: [Command, Command] = isOther
    ? [{ ...renew, reason: 'refunded' }, complete]
    : [{ ...complete, reason: 'paid through an outdated link' }, renew];
  const told = {
    payments: paymentWords(ctx.config.locale, cases),
    price: priceWords(facts),
    accepted: acceptedPayment(file)?.paymentId ?? '–',
    command: [withReason(other)],
  } as const;
  return finding(facts, 'payment_case', { cause, ...told }, next);
}

/**
 * The customer has paid by a means that takes days and must not be asked again until the result is known. A case beside it has to wait, too, unless
 * that money has taken too long or the provider no longer knows it.
 */
function onItsWay(facts: Facts, answers: Answers): Finding {
  const { file } = facts;
  const { id } = file.request;
  const pending = pendingPayments(file).map((row) => ({
    since: row.pendingSince ?? file.now,
    isGone: answerAbout(answers, row.paymentId).theirs === 'absent',
  }));
  const isHopeful = (one: (typeof pending)[number]) => !one.isGone && pendingTooLongAt(one.since) > file.now;
  const hopeful = pending.findLast(isHopeful);
  const hopeless = hopeful ? undefined : pending.at(-1);
  if (hopeless) {
    const [cause, next] = hopeless.isGone
      ? (['gone', command('doctor')] as const)
      : (['long', command('payments check', id)] as const);
    const stop = withReason(command('payments give-up', id));
    return finding(facts, 'payment_pending_long', { cause, date: hopeless.since, command: [stop] }, next);
  }
  if (undecidedPayments(file).length > 0) return finding(facts, 'payment_undecided');
  // By the provider alone: a check stores it.
  return finding(facts, 'payment_pending', { date: hopeful?.since ?? file.now });
}

/** The customer never got our link to a session that was only found. */
function isUnsent({ file }: Facts): boolean {
  return file.request.payToken === null;
}

/** While money was on its way, the mail with the link was not sent; nobody waits for that money any more. */
function isGivenUpUnsent({ ctx, file: { contract, payment, request } }: Facts): boolean {
  return payment?.state === 'given_up' && !!contract && !willHaveLink(ctx.db, contract, request);
}

/** There is no link to pay: its job waits or has failed, or nothing is working on it. */
function unmade(facts: Facts): Finding {
  return (
    unpayableThere(facts) ??
    unfinishedJob(facts, 'create-payment-session') ??
    finding(facts, 'payment_missing', { cause: 'unmade' })
  );
}

/** No page can ever be made for the price: by what we know of the currency, or by the provider's refusal. */
function unpayableThere(facts: Facts): Finding | undefined {
  const { contract, request } = facts.file;
  if (!contract) return undefined;
  const job = openJob(facts, 'create-payment-session');
  const refusal = job && pastErrors(job).at(-1);
  const isTooSmall = refusal?.type === 'amount_too_small';
  const found =
    unpayable(facts.ctx.config.locale, contract) ??
    (isTooSmall ? { price: priceWords(facts), fault: `${refusal.error}.` } : undefined);
  const next = { ...command('requests complete', request.id), reason: '…' };
  return found && finding(facts, 'unpayable', { cause: 'signed', ...found }, next);
}
