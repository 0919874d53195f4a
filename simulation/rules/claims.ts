/** What a history entry claims must be true at the providers. */
import { signatureOf, type ContractRow, type Outside, type Rows } from './facts.js';
import { happenedTwice } from './history.js';
import { paidWrongly } from './payments.js';
import { calledLate, countsTooLate, endedWrongly, signedWrongly } from './signatures.js';

export interface Entry {
  id: number;
  what: string;
  requestId: number | null;
  contractId: number | null;
  actor: string;
  /** JSON. */
  detail: string;
}

export const ENTRIES =
  'SELECT id, what, requestId, contractId, actor, detail FROM history WHERE id > ? ORDER BY id';

export const detailOf = ({ detail }: Entry) => JSON.parse(detail) as Record<string, string>;

export function contractOf(rows: Rows, { contractId }: Entry): ContractRow {
  return rows<ContractRow>('SELECT * FROM contracts WHERE id = ?', contractId)[0] as ContractRow;
}

export function claimedWrongly(rows: Rows, outside: Outside, entry: Entry): string[] {
  if (entry.contractId === null) return [];
  const contract = contractOf(rows, entry);
  const { reason = '', paymentId = '' } = detailOf(entry);
  switch (entry.what) {
    case 'contract.signed':
      return [
        ...happenedTwice(rows, contract.requestId),
        ...signedWrongly(contract, signatureOf(outside, contract)),
        ...countsTooLate(rows, contract.id, signatureOf(outside, contract)),
      ];
    case 'contract.signed_late':
      return calledLate(contract.id, signatureOf(outside, contract));
    case 'contract.ended':
      return endedWrongly(contract, reason, signatureOf(outside, contract));
    case 'payment.received':
      return [...paidWrongly(rows, outside, contract, paymentId), ...happenedTwice(rows, contract.requestId)];
    default:
      return [];
  }
}
