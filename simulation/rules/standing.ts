/** When everything has come to rest, each request stands where the providers say. */
import { isOver } from '../../sandbox/signature/last-day.js';
import {
  REQUESTS,
  sessionsOf,
  signatureOf,
  type ContractRow,
  type Outside,
  type RequestRow,
  type Rows,
} from './facts.js';
import { isCase, undecided } from './payments.js';
import { isKnownLate, isLate, signableTwice } from './signatures.js';

/** `alone`: what a provider did not take in time may wait in the failed list for a person. */
export function standWrong(rows: Rows, outside: Outside, how: 'alone' | 'with help'): string[] {
  return rows<RequestRow>(REQUESTS).flatMap((request) => standsWrong(rows, outside, request, how));
}

function standsWrong(rows: Rows, outside: Outside, request: RequestRow, how: string): string[] {
  const { id, status, username } = request;
  const contracts = rows<ContractRow>('SELECT * FROM contracts WHERE requestId = ? ORDER BY id', id);
  const contract = contracts.at(-1);
  const there = signatureOf(outside, contract);
  const sessions = sessionsOf(outside, contract);
  const paid = sessions.filter(({ payment_status }) => payment_status === 'paid');
  const [counts] = paid.filter((session) => !isCase(rows, session));
  const hasFailed = (kind: string) =>
    rows("SELECT 1 FROM jobs WHERE requestId = ? AND kind = ? AND state = 'failed'", id, kind).length > 0;
  const is = `request ${id} is ${status} (${how}), contract ${contract?.id} is ${contract?.status}`;
  const at = `at the provider it is ${there?.status}`;
  const wrong = signableTwice(rows, outside, id);
  const expect = (isSo: boolean, otherwise: string) => isSo || wrong.push(`${is}; ${otherwise}`);
  for (const { info } of there?.signers ?? []) {
    expect(outside.nameOf(info.email) === outside.nameOf(username), `it was sent to ${info.email}`);
    expect(
      there?.status !== 'ongoing' ||
        info.email === username ||
        (how === 'alone' && hasFailed('correct-signer')),
      `its signer is ${info.email}, and the customer ${username}`,
    );
  }
  const before = contracts.slice(0, -1).filter((each) => each.status !== 'EXPIRED');
  expect(before.length === 0, `contract ${before[0]?.id} before it is ${before[0]?.status}`);
  const sent = [...outside.signatures.values()].filter(
    (each) => each.externalId === contract?.externalId && ['ongoing', 'done'].includes(each.status),
  );
  expect(sent.length <= 1, `it was sent ${sent.length} times`);
  const isPayable = sessions.some((session) => session.id === request.paymentId);
  switch (status) {
    case 'new':
    case 'in_progress':
      expect(!there || !['ongoing', 'done'].includes(there.status) || isReopened(contract), at);
      expect(contract?.status !== 'PENDING' || !there || there.status === 'draft', at);
      break;
    case 'WAITING_SIGNATURE':
      if (contract?.status === 'PENDING')
        expect(there?.status === 'ongoing' || isKnownLate(rows, contract.id, there), at);
      else {
        // The provider notices the end of a last day when it is asked.
        expect(contract !== undefined && (there?.status !== 'ongoing' || isOver(there, outside.now())), at);
        const { completedAt } = there ?? {};
        expect(
          there?.status !== 'done' || isLate(there),
          `${at}, signed at ${new Date(completedAt ?? 0).toISOString()}, until ${contract?.expiredAt}`,
        );
      }
      break;
    case 'WAITING_PAYMENT':
      expect(there?.status === 'done' && contract?.signedAt != null, at);
      expect(
        isPayable || undecided(rows, id).length > 0 || hasFailed('create-payment-session'),
        'it cannot be paid, nobody has to look at a payment, and no job has failed',
      );
      expect(counts === undefined, `it was paid by ${counts?.id}`);
      break;
    case 'CANCELED':
      expect(there?.status !== 'ongoing', at);
      break;
    case 'COMPLETE':
      expect(there?.status === 'done' && contract?.signedAt != null, at);
      expect(paid.length > 0 || isByHand(rows, id), 'nobody has paid');
      expect(isPayable || request.paymentId === null, `its payment page is ${request.paymentId}`);
      break;
  }
  return wrong;
}

/** Requests that the office looks after. */
export function unfinished(rows: Rows): number[] {
  const sql = "SELECT id FROM requests WHERE status <> 'COMPLETE' ORDER BY id";
  return rows<{ id: number }>(sql).map(({ id }) => id);
}

/** What is settled at the providers and not here. */
export function unheard(rows: Rows, outside: Outside): string[] {
  const contracts = rows<ContractRow>(
    `SELECT c.* FROM contracts c JOIN requests r ON r.id = c.requestId
     WHERE r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' ORDER BY c.id`,
  ).flatMap((contract) => {
    const there = signatureOf(outside, contract);
    if (!there || ['draft', 'ongoing'].includes(there.status)) return [];
    return isKnownLate(rows, contract.id, there) ? [] : `contract ${contract.id} is ${there.status}`;
  });
  const payments = rows<{ paymentId: string; requestId: number }>(
    `SELECT p.paymentId, r.id AS requestId FROM payments p JOIN contracts c ON c.id = p.contractId
     JOIN requests r ON r.id = c.requestId WHERE r.status = 'WAITING_PAYMENT' AND p.state IN ('open', 'pending') ORDER BY p.id`,
  ).flatMap(({ paymentId, requestId }) =>
    outside.sessions.get(paymentId)?.payment_status === 'paid' ? `request ${requestId} is paid` : [],
  );
  return [...contracts, ...payments];
}

/** The customer can neither sign nor pay. The link to pay makes another payment page when one has expired. */
export function isStuck(rows: Rows, requestId: number): boolean {
  const sql = `SELECT 1 FROM contracts c JOIN requests r ON r.id = c.requestId
    WHERE r.id = ? AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id) AND (
      (r.status = 'WAITING_SIGNATURE' AND c.status = 'EXPIRED') OR
      (r.status = 'WAITING_PAYMENT' AND NOT EXISTS (SELECT 1 FROM payments WHERE contractId = c.id)))`;
  return rows(sql, requestId).length > 0;
}

/** It was canceled after the signature, and reopened. */
function isReopened(contract: ContractRow | undefined): boolean {
  return contract?.status === 'EXPIRED' && contract.signedAt !== null;
}

/** A person completed it, which takes a reason. */
function isByHand(rows: Rows, requestId: number): boolean {
  const sql = `SELECT 1 FROM history WHERE requestId = ? AND what = 'request.moved'
    AND detail ->> '$.to' = 'COMPLETE' AND detail ->> '$.reason' IS NOT NULL`;
  return rows(sql, requestId).length > 0;
}
