/** Everything that a look at a request finds, the gravest first. */
import type { InboxEvent } from '../../db/case-file.js';
import { findInboxEventById } from '../../db/inbox-lists.js';
import { isReplacedSigned } from '../signature/replaced-signature.js';
import { parseSignatureEvent } from '../signature/webhook-event.js';
import { deliveryFindings } from './delivery-findings.js';
import { finding, type Facts, type Finding, type FindingLevel } from './finding.js';
import { deliveryJobFindings, jobFindings } from './job-findings.js';
import { paymentFinding } from './payment-findings.js';
import { pdfFinding } from './pdf-finding.js';
import { isUnproven, signatureFinding, startFinding } from './signature-findings.js';

const GRAVITY: Readonly<Record<FindingLevel, number>> = { trouble: 0, waiting: 1, calm: 2 };

/**
 * At least one. Among equally grave findings, the cause in the request's own status comes first, and what affects the customer
 * comes before what affects only the receivers of outbound webhooks.
 */
export function findingsOf(facts: Facts): Finding[] {
  const main = statusFinding(facts);
  const findings = [
    main,
    ...oldContractSigned(facts),
    ...paidTwice(facts),
    ...pdfFinding(facts),
    ...jobFindings(facts, main),
    ...deliveryFindings(facts),
    ...deliveryJobFindings(facts, main),
    ...forgeries(facts, main),
  ];
  return findings.sort((a, b) => GRAVITY[a.level] - GRAVITY[b.level]);
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
      return finding(facts, 'calm', 'finished', null);
  }
}

/** The customer says that he signed, and he did, but not the contract that counts. */
function oldContractSigned(facts: Facts): Finding[] {
  const { file } = facts;
  const { request, contract, inbox } = file;
  const event = inbox.find(
    ({ outcome, contractId }) => outcome === 'not_signable' && contractId !== contract?.id,
  );
  // The event is kept for a while, the history for good.
  const told = file.history.findLast(isReplacedSigned);
  const old = event?.contractId ?? told?.contractId;
  if (request.status !== 'WAITING_SIGNATURE' || !contract || !old) return [];
  const key = wasResetBefore(facts, old, event ? signedAt(facts, event) : (told?.at ?? file.now))
    ? 'old_contract_signed'
    : 'contract_replaced';
  const params = { old, contract: contract.id };
  return [finding(facts, 'trouble', key, `contracts show ${contract.id}`, params)];
}

/** As the provider's event says it; when its body has been pruned, the moment at which it came. */
function signedAt({ ctx }: Facts, { id, receivedAt }: InboxEvent): string {
  const body = findInboxEventById(ctx.db, id)?.body;
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
      (JSON.parse(detail) as { reason?: string }).reason === 'reset',
  );
}

function paidTwice(facts: Facts): Finding[] {
  const { request, history } = facts.file;
  const isTwice =
    request.status === 'COMPLETE' && history.some(({ what }) => what === 'payment.old_session_paid');
  return isTwice ? [finding(facts, 'waiting', 'paid_twice', null)] : [];
}

/** Worth knowing even where they did no harm. */
function forgeries(facts: Facts, main: Finding): Finding[] {
  const count = facts.file.rejected.filter(isUnproven).length;
  if (count === 0 || main.key.endsWith('wrong_signature')) return [];
  return [finding(facts, 'calm', 'deliveries_turned_away', null, { count })];
}
