/** Invalidates a contract (spec 3): it becomes EXPIRED, the reason stays in the history, and the administrator hears of it. */
import type { Db } from '../../db/db.js';
import { moveContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import { CONTRACT_MOVES, type EndReason, type OwnEnd } from '../lifecycle.js';

export interface ContractEnd {
  reason: EndReason;
  /** The customer's words when declining. */
  declineReason?: string | null;
  actor: Actor;
  now: string;
}

/** False: the contract was not pending any more, and nothing was changed. */
export function endContract(
  db: Db,
  contract: ContractRow,
  { reason, declineReason, actor, now }: ContractEnd,
): boolean {
  if (!moveContract(db, contract.id, CONTRACT_MOVES.ended)) return false;
  const { id: contractId, requestId } = contract;
  record(db, {
    at: now,
    actor,
    what: 'contract.ended',
    requestId,
    contractId,
    detail: { reason, ...(declineReason && { declineReason }) },
  });
  if (isNews(reason)) {
    enqueue(db, {
      kind: 'send-mail',
      payload: { mail: 'contract-ended', contractId, reason, declineReason: declineReason ?? null },
      uniqueKey: `mail:contract-ended:${contractId}`,
      now,
      requestId,
      contractId,
    });
  }
  return true;
}

/** The administrator knows of what we do ourselves and of dates that have passed. */
function isNews(reason: EndReason): reason is Exclude<EndReason, OwnEnd> {
  return reason !== 'expired' && !OWN_ENDS.some((own) => own === reason);
}

const OWN_ENDS = ['reset', 'replaced', 'date_passed'] as const satisfies OwnEnd[];
