/** All findings about a request, most serious first. */
import { listOpenUnknownOf } from '../../db/installation/unknown-signatures.js';
import { nextForUnknown, secondFinding } from '../signature/unknown-signatures.js';
import { type InboxEvent, findInboxEventById } from '../../db/inbox/inbox.js';
import { isReplacedSigned } from '../signature/told.js';
import { parseSignatureEvent } from '../signature/webhook-event.js';
import { command, type Command } from '../commands.js';
import { isHeld } from '../installation/hold.js';
import { idsOf, paymentWords } from '../payment/payment-case.js';
import { isPaidUnsigned, openCases, paymentsToSettle, type OpenCase } from '../requests/open-cases.js';
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
      return facts.file.customer.erasedAt === null
        ? finding(facts, 'canceled', { command: reopening(facts) })
        : finding(facts, 'canceled_erased');
  }
}

/** Which the bulk check, a check or a webhook has found. */
function secondDocument(facts: Facts): Finding[] {
  const { ctx, file } = facts;
  return file.contracts.flatMap(({ externalId }) =>
    listOpenUnknownOf(ctx.db, { externalId }).map((one) =>
      finding(facts, secondFinding(one), { sign: one.signId }, nextForUnknown(ctx.db, one)),
    ),
  );
}

/** The customer has signed, but not the contract that counts. */
function oldContractSigned(facts: Facts): Finding[] {
  const { file } = facts;
  const { request, contract, inbox } = file;
  const event = inbox.find(
    ({ outcome, contractId }) => outcome === 'not_signable' && contractId !== contract?.id,
  );
  // Events are kept for a while, the history for good.
  const told = file.history.findLast(isReplacedSigned);
  const old = event?.contractId ?? told?.contractId;
  if (request.status !== 'WAITING_SIGNATURE' || !contract || !old) return [];
  const key = wasResetBefore(facts, old, event ? signedAt(facts, event) : (told?.at ?? file.now))
    ? 'old_contract_signed'
    : 'contract_replaced';
  const params = { old, contract: contract.id };
  return [finding(facts, key, params, command('contracts show', contract.id))];
}

/** From the event's body, or its arrival when the body has been pruned. */
function signedAt({ ctx }: Facts, { id, receivedAt }: InboxEvent): string {
  const body = findInboxEventById(ctx.db, { id })?.body;
  return (body && parseSignatureEvent(body)?.happenedAt) ?? receivedAt;
}

const WHOLE_SECONDS = '2026-03-02T09:14:07'.length;

function wasResetBefore({ file }: Facts, old: number, time: string): boolean {
  return file.history.some(
    ({ what, contractId, at, detail }) =>
      what === 'contract.ended' &&
      contractId === old &&
      // The provider's times are whole seconds.
      at.slice(0, WHOLE_SECONDS) <= time.slice(0, WHOLE_SECONDS) &&
      JSON.parse(detail).reason === 'reset',
  );
}

/** A signature or payment does not count, and nobody has decided. */
function casesToSettle(facts: Facts): Finding[] {
  const { file } = facts;
  const cases = openCases(file);
  const payments = paymentsToSettle(file);
  const locale = facts.ctx.config.locale;
  return cases.map((one) => {
    const which =
      one === 'canceled_signed' ? ['--signature'] : idsOf(payments).flatMap((id) => ['--payment', id]);
    const options = cases.length > 1 ? which : [];
    const next = { ...command('requests settle', file.request.id), options, reason: '…' };
    return finding(
      facts,
      keyOf(one, facts),
      {
        command: reopening(facts),
        payments: paymentWords(locale, payments),
      },
      next,
    );
  });
}

/** Advised in the words. */
function reopening({ file }: Facts): Command {
  return { ...command('requests reopen', file.request.id), options: ['--reason', '…'] };
}

/** The words for an erased customer do not advise to reopen the request, which is refused. */
function keyOf(one: OpenCase, { file }: Facts) {
  const isCanceled = one === 'canceled_signed' || one === 'canceled_paid';
  return isCanceled && file.customer.erasedAt !== null ? (`${one}_erased` as const) : one;
}

/** Money on its way through a page that no longer counts. */
function secondPaymentPending(facts: Facts): Finding[] {
  const date = facts.file.leftOver.find(({ pendingSince }) => pendingSince !== null)?.pendingSince;
  return date ? [finding(facts, 'second_payment_pending', { date })] : [];
}
