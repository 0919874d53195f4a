/** All findings about a request, most serious first. */
import type { PaymentRow } from '../../db/schema.js';
import { aboutSecond, nextForUnknown, unknownAmongCases } from '../signature/unknown-signatures.js';
import { command, type Command } from '../commands.js';
import { isHeld } from '../installation/hold.js';
import { comesSince } from '../payment/observe.js';
import { paymentWords } from '../payment/payment-cases.js';
import { isPaidUnsigned, openCases, paymentsToSettle } from '../requests/open-cases.js';
import { finding, type Facts, type Finding } from './finding.js';
import type { FindingLevel } from './findings-table.js';
import { deliveryFindings, deliveryJobFindings, forgeries, jobFindings, pdfFinding } from './job-findings.js';
import { paymentFinding } from './payment-findings.js';
import { signatureFinding, startFinding } from './signature-findings.js';

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
    ...(isPaidUnsigned(facts.file) ? [finding(facts, 'paid_unsigned')] : []),
    ...secondPaymentPending(facts),
    ...casesToSettle(facts),
    ...pdfFinding(facts),
    ...jobFindings(facts, main),
    ...deliveryFindings(facts),
    ...deliveryJobFindings(facts, main),
    ...forgeries(facts, main),
    ...held(facts),
  ];
  return findings.sort((a, b) => GRAVITY[a.level] - GRAVITY[b.level]);
}

/** Restored data sends nothing, whatever the request needs. */
function held(facts: Facts): Finding[] {
  return isHeld(facts.ctx) ? [finding(facts, 'held')] : [];
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
      return finding(facts, 'finished');
    case 'CANCELED':
      return finding(facts, 'canceled', afterCancel(facts));
  }
}

/** Which the bulk check, a check or a webhook has found. */
function secondDocument(facts: Facts): Finding[] {
  const { ctx, file } = facts;
  return unknownAmongCases(file.cases).map((one) =>
    finding(facts, 'second_document', aboutSecond(one), nextForUnknown(ctx.db, one)),
  );
}

/** The customer has signed, but not the contract that counts. */
function oldContractSigned(facts: Facts): Finding[] {
  const { request, contract, contracts, cases } = facts.file;
  const told = cases.findLast(({ kind }) => kind === 'replaced_signed');
  const old = contracts.find(({ id }) => id === told?.contractId);
  if (request.status !== 'WAITING_SIGNATURE' || !contract || !told || !old) return [];
  const { signedAt } = JSON.parse(told.detail) as { signedAt?: string | null };
  const next = contracts.find(({ id }) => id > old.id) ?? contract;
  // The provider's times are whole seconds.
  const wasResetBefore =
    old.endReason === 'reset' && inSeconds(next.createdAt) <= inSeconds(signedAt ?? told.openedAt);
  const cause = wasResetBefore ? 'replaced_before' : 'replaced_since';
  const params = { cause, old: old.id, contract: contract.id } as const;
  return [finding(facts, 'replaced_signed', params, command('contracts show', contract.id))];
}

function inSeconds(time: string): string {
  return time.slice(0, '2026-03-02T09:14:07'.length);
}

/** A signature or payment does not count, and nobody has decided. */
function casesToSettle(facts: Facts): Finding[] {
  const { file } = facts;
  const cases = openCases(file);
  const payments = paymentsToSettle(file);
  const locale = facts.ctx.config.locale;
  return cases.map((one) => {
    const which =
      one === 'canceled_signed'
        ? ['--signature']
        : payments.flatMap(({ paymentId }) => ['--payment', paymentId]);
    const options = cases.length > 1 ? which : [];
    const next = { ...command('requests settle', file.request.id), options, reason: '…' };
    const told = { payments: paymentWords(locale, payments) };
    switch (one) {
      case 'canceled_signed':
        return finding(facts, one, afterCancel(facts), next);
      case 'canceled_paid':
        return finding(facts, one, { ...told, ...afterCancel(facts) }, next);
      case 'paid_twice':
      case 'earlier_contract_paid':
        return finding(facts, one, told, next);
    }
  });
}

/** The request of an erased customer cannot be reopened. */
function afterCancel({ file: { request, customer } }: Facts) {
  if (customer.erasedAt !== null) return { cause: 'erased' } as const;
  const reopen: Command = { ...command('requests reopen', request.id), options: ['--reason', '…'] };
  return { cause: 'reopenable', command: [reopen] } as const;
}

/** Money on its way that is no longer waited for, or through a page of an earlier contract. */
function secondPaymentPending(facts: Facts): Finding[] {
  const { payments, contract, request, now } = facts.file;
  const isAwaited = ({ contractId }: PaymentRow) =>
    contractId === contract?.id && request.status === 'WAITING_PAYMENT';
  const one = payments.find(
    (each) => each.state === 'given_up' || (each.state === 'pending' && !isAwaited(each)),
  );
  const date = one?.pendingSince;
  if (!date || date < comesSince(now)) return [];
  const cause = one.state === 'given_up' ? 'given_up' : 'uncounted';
  return [finding(facts, 'second_payment_pending', { cause, date })];
}
