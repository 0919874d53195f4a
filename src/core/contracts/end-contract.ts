/** Ends a contract (rules 2): it becomes EXPIRED for a reason, and the administrator gets a mail. */
import { endContract as endRow } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';
import { mailJob } from '../mail/mail-job.js';
import { CONTRACT_MOVES, type EndReason, type OwnEnd } from '../lifecycle.js';

/** False when the contract had ended before; then nothing changed. `declineReason`: the customer's words. */
export function endContract(
  tx: Change,
  contract: ContractRow,
  { reason, declineReason }: { reason: EndReason; declineReason?: string | null | undefined },
): boolean {
  const words = declineReason || null;
  const move = reason === 'request_canceled' ? CONTRACT_MOVES.canceled : CONTRACT_MOVES.ended;
  const { id } = contract;
  const end = { endReason: reason, endedAt: tx.now, declineReason: words };
  if (!endRow(tx.db, { id, ...end, ...move })) return false;
  const about = ofContract(contract);
  tx.record('contract.ended', about, { reason, declineReason: words ?? undefined });
  if (isNews(reason)) {
    const order = { contractId: id, reason, declineReason: words };
    tx.enqueue(mailJob, { mail: 'contract-ended', ...order }, about);
  }
  return true;
}

/** What we did ourselves, and passed dates, are not news. */
function isNews(reason: EndReason): reason is Exclude<EndReason, OwnEnd> {
  return reason !== 'expired' && !OWN_ENDS.some((own) => own === reason);
}

const OWN_ENDS = ['reset', 'replaced', 'request_canceled', 'date_passed'] as const satisfies OwnEnd[];
