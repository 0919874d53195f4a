/** All findings about a request, most serious first. */
import { aboutSecond, nextForUnknown, unknownAmongCases } from '../signature/unknown-signatures.js';
import { command, type Command } from '../commands.js';
import { isTermOver } from '../requests/renew-request.js';
import { comesSince } from '../payment/observe.js';
import { pendingPayments } from '../payment/our-payments.js';
import { paymentsToSettle, paymentWords, undecidedPayments } from '../payment/payment-cases.js';
import { finding, withReason, type Facts, type Finding } from './finding.js';
import type { FindingLevel } from './findings-table.js';
import { deliveryFindings, deliveryJobFindings, forgeries, jobFindings, pdfFinding } from './job-findings.js';
import { pendingTooLongAt } from '../requests/too-long.js';
import { paymentFinding } from './payment-findings.js';
import { oldContractSigned, signatureFinding, startFinding } from './signature-findings.js';

const GRAVITY: Readonly<Record<FindingLevel, number>> = { trouble: 0, waiting: 1, calm: 2 };

/**
 * At least one. Among equally serious ones, the cause of the request's own status comes first, then what affects the
 * customer, then what affects only webhook receivers.
 */
export function findingsOf(facts: Facts): [Finding, ...Finding[]] {
  const main = statusFinding(facts);
  const findings: [Finding, ...Finding[]] = [
    main,
    ...secondDocument(facts),
    ...oldContractSigned(facts),
    ...paidUnsigned(facts),
    ...secondPaymentPending(facts),
    ...casesToSettle(facts),
    ...pdfFinding(facts),
    ...jobFindings(facts, main),
    ...deliveryFindings(facts),
    ...deliveryJobFindings(facts, main),
    ...forgeries(facts, main),
  ];
  findings.sort((a, b) => GRAVITY[a.level] - GRAVITY[b.level]);
  // Restored data sends nothing: until it is taken over, no other advice can be followed.
  return facts.isHeld ? [finding(facts, 'held'), ...findings] : findings;
}

function statusFinding(facts: Facts): Finding {
  switch (facts.file.request.status) {
    case 'new':
    case 'in_progress':
      return startFinding(facts);
    case 'WAITING_SIGNATURE':
      return signatureFinding(facts);
    case 'WAITING_PAYMENT':
      return paymentFinding(facts);
    case 'COMPLETE':
      return termFinding(facts) ?? finding(facts, 'finished', { cause: 'complete' });
    case 'CANCELED': {
      const cause = isErased(facts) ? 'erased' : 'canceled';
      return finding(facts, 'finished', { cause, command: [reopening(facts)] });
    }
  }
}

/** A term that ends, or has ended, is never passed over in silence. */
function termFinding(facts: Facts): Finding | undefined {
  const { contract, renewal, cases, now } = facts.file;
  if (renewal) return finding(facts, 'renewed', { request: renewal.reference });
  const date = contract?.expiredAt;
  if (!date || isErased(facts)) return undefined;
  const isTold = cases.some(({ kind }) => kind === 'term_ends');
  if (isTold) return finding(facts, 'term_ends', { cause: date <= now ? 'over' : 'soon', date });
  return isTermOver(contract) ? finding(facts, 'term_over', { date }) : undefined;
}

/** Such a request cannot be reopened. */
function isErased({ file }: Facts): boolean {
  return file.customer.erasedAt !== null;
}

function reopening({ file }: Facts): Command {
  return withReason(command('requests reopen', file.request.id));
}

/** Which the bulk check, a check or a webhook has found. */
function secondDocument(facts: Facts): Finding[] {
  const { ctx, file } = facts;
  return unknownAmongCases(file.cases).map((one) =>
    finding(facts, 'second_document', aboutSecond(one), nextForUnknown(ctx.db, one)),
  );
}

/** It counts once the signature is known. */
function paidUnsigned(facts: Facts): Finding[] {
  const { file } = facts;
  if (undecidedPayments(file).length === paymentsToSettle(file).length) return [];
  const check = command('check-signature', file.request.id);
  return [finding(facts, 'payment_case', { cause: 'paid_unsigned' }, check)];
}

/** A signature or payment does not count while none is awaited, and nobody has decided. */
function casesToSettle(facts: Facts): Finding[] {
  const { file, ctx } = facts;
  const { id, status } = file.request;
  const isSigned = file.cases.some(({ kind }) => kind === 'canceled_signed');
  const paid = status === 'WAITING_PAYMENT' ? [] : paymentsToSettle(file);
  const isBoth = isSigned && paid.length > 0;
  const settling = (...which: string[]): Command => ({
    ...command('requests settle', id),
    options: isBoth ? which : [],
    reason: '…',
  });
  const told = { payments: paymentWords(ctx.config.locale, paid), command: [reopening(facts)] } as const;
  const signature = { cause: isErased(facts) ? 'erased_signed' : 'canceled_signed', ...told } as const;
  const payment = { cause: whyUncounted(facts), ...told } as const;
  const named = paid.flatMap(({ paymentId }) => ['--payment', paymentId]);
  return [
    ...(isSigned ? [finding(facts, 'signature_case', signature, settling('--signature'))] : []),
    ...(paid.length > 0 ? [finding(facts, 'payment_case', payment, settling(...named))] : []),
  ];
}

function whyUncounted(facts: Facts) {
  switch (facts.file.request.status) {
    case 'COMPLETE':
      return 'paid_twice';
    case 'CANCELED':
      return isErased(facts) ? 'erased_paid' : 'canceled_paid';
    case 'new':
    case 'in_progress':
    case 'WAITING_SIGNATURE':
    case 'WAITING_PAYMENT':
      return 'earlier_contract_paid';
  }
}

/** Money on its way that is no longer waited for, or through a page of an earlier contract. */
function secondPaymentPending(facts: Facts): Finding[] {
  const { file } = facts;
  const awaited = file.request.status === 'WAITING_PAYMENT' ? pendingPayments(file) : [];
  const one = file.payments.find(
    (each) => each.state === 'given_up' || (each.state === 'pending' && !awaited.includes(each)),
  );
  const date = one?.pendingSince;
  if (!date || date < comesSince(file.now)) return [];
  const cause = one.state === 'given_up' ? 'given_up' : 'uncounted';
  if (cause === 'given_up' || pendingTooLongAt(date) > file.now)
    return [finding(facts, 'second_payment_pending', { cause, date })];
  const giveUp = { ...command('payments give-up', file.request.id), reason: '…' };
  return [finding(facts, 'second_payment_long', { date }, giveUp)];
}
