/** Everything that a look at a request finds, the gravest first. */
import { deliveryFindings } from './delivery-findings.js';
import { finding, type Facts, type Finding, type FindingLevel } from './finding.js';
import { jobFindings } from './job-findings.js';
import { paymentFinding } from './payment-findings.js';
import { pdfFinding } from './pdf-finding.js';
import { isUnproven, signatureFinding, startFinding } from './signature-findings.js';

const GRAVITY: Readonly<Record<FindingLevel, number>> = { trouble: 0, waiting: 1, calm: 2 };

/** At least one; of the same gravity the cause in the request's own status comes first. */
export function findingsOf(facts: Facts): Finding[] {
  const main = statusFinding(facts);
  const findings = [
    main,
    ...oldContractSigned(facts),
    ...paidTwice(facts),
    ...pdfFinding(facts),
    ...deliveryFindings(facts),
    ...jobFindings(facts, main),
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

/** The customer says that he signed, and he did: what a reset has replaced since. */
function oldContractSigned(facts: Facts): Finding[] {
  const { request, contract, inbox } = facts.file;
  const old = inbox.find(
    ({ outcome, contractId }) => outcome === 'not_signable' && contractId !== contract?.id,
  )?.contractId;
  if (request.status !== 'WAITING_SIGNATURE' || !contract || !old) return [];
  const params = { old, contract: contract.id };
  return [finding(facts, 'trouble', 'old_contract_signed', `contracts show ${contract.id}`, params)];
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
