/** Records who did what, always in the transaction of the change itself. */
import type { Db } from '../../db/db.js';
import { insertHistories, insertHistory, type NewHistory } from '../../db/history/history.js';
import type { ContractRow } from '../../db/schema.js';
import { actorName, type Actor } from '../actor.js';
import { SUBJECTS, type HistoryWord } from './words.js';

export type { HistoryWord };

/** What an entry is about; null: nothing of it, or not alone. */
export interface About {
  requestId: number | null;
  contractId: number | null;
}

export function ofContract({ id, requestId }: Pick<ContractRow, 'id' | 'requestId'>): About {
  return { requestId, contractId: id };
}

export function ofRequest(requestId: number): About {
  return { requestId, contractId: null };
}

export interface HistoryEntry {
  at: string;
  actor: Actor;
  what: HistoryWord;
  requestId: number | null;
  contractId?: number | null;
  detail?: Record<string, unknown>;
}

export function record(db: Db, entry: HistoryEntry): void {
  insertHistory(db, toRow(entry));
}

/** Records several entries in one transaction. */
export function recordAll(db: Db, entries: readonly HistoryEntry[]): void {
  insertHistories(db, entries.map(toRow));
}

function toRow({ at, actor, what, requestId, contractId, detail = {} }: HistoryEntry): NewHistory {
  return {
    at,
    actor: actorName(actor),
    what,
    requestId,
    contractId: contractId ?? null,
    subject: subjectOf(what, detail),
    detail: JSON.stringify(detail),
  };
}

/** Of a removed request nothing else is left to say whose it was; a mail about an account is about no request. */
const OF_USERS: readonly HistoryWord[] = ['request.deleted', 'mail.sent'];

/** What it is about besides a request, such as `user:5`. */
function subjectOf(what: HistoryWord, detail: Record<string, unknown>): string | null {
  const [noun = ''] = OF_USERS.includes(what) ? ['user'] : what.split('.');
  const [, member] = Object.entries(SUBJECTS).find(([each]) => each === noun) ?? [];
  const id = member && detail[member];
  return typeof id === 'number' ? `${noun}:${id}` : null;
}
