/** Records who did what, always in the transaction of the change itself. */
import type { Db } from '../../db/db.js';
import { insertHistories, insertHistory, type NewHistory } from '../../db/history/history.js';
import type { ContractRow } from '../../db/schema.js';
import { actorName, type Actor } from '../actor.js';

/** Every word of the history. */
export const HISTORY_WORDS = [
  'request.created',
  'request.changed',
  'request.moved',
  'request.settled',
  'request.deleted',
  'request.exported',
  'equipment.created',
  'equipment.changed',
  'equipment.deleted',
  'contract.created',
  'contract.sent',
  'contract.signed',
  'contract.pdf_fetched',
  'contract.trail_kept',
  'contract.ended',
  'contract.signed_late',
  'contract.foreign_signature',
  'contract.replaced_signed',
  'contract.canceled_signed',
  'contract.signer_corrected',
  'contract.signer_refused',
  'contract.signer_error',
  'contract.late_accepted',
  'contract.second_accepted',
  'contract.last_moment_told',
  'payment.session_created',
  'payment.session_found',
  'payment.session_expired',
  'payment.session_closed',
  'payment.pending',
  'payment.given_up',
  'payment.failed',
  'payment.received',
  'payment.old_session_paid',
  'payment.paid_unsigned',
  'payment.canceled_paid',
  'payment.other_price',
  'payment.unknown',
  'payment.settled',
  'payment.checked',
  'payment.renewed',
  'payment.reminded',
  'signature.reminded',
  'inbox.replayed',
  'job.pushed',
  'job.replayed',
  'job.removed',
  'signature.checked',
  'signature.settled',
  'signatures.checked',
  'contracts.expired',
  'user.created',
  'user.invited',
  'user.joined',
  'user.password_set',
  'user.password_reset',
  'user.changed',
  'user.promoted',
  'user.demoted',
  'user.enabled',
  'user.disabled',
  'user.exported',
  'user.erased',
  'database.migrated',
  'offer.created',
  'offer.changed',
  'offer.deleted',
  'troubleshooting.created',
  'troubleshooting.changed',
  'troubleshooting.deleted',
  'mail.sent',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.pinged',
  'webhook.redelivered',
  'settings.reloaded',
  'data.pruned',
  'data.restored',
  'data.taken_over',
] as const;

export type HistoryWord = (typeof HISTORY_WORDS)[number];

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

/** Nouns whose entries say in `detail` which thing they are about. */
const SUBJECTS = { user: 'userId', webhook: 'webhookId', equipment: 'equipmentId' } as const;

export type SubjectNoun = keyof typeof SUBJECTS;
export const SUBJECT_NOUNS = Object.keys(SUBJECTS) as SubjectNoun[];

/** Of a removed request nothing else is left to say whose it was; a mail about an account is about no request. */
const OF_USERS: readonly HistoryWord[] = ['request.deleted', 'mail.sent'];

/** What it is about besides a request, such as `user:5`. */
function subjectOf(what: HistoryWord, detail: Record<string, unknown>): string | null {
  const [noun = ''] = OF_USERS.includes(what) ? ['user'] : what.split('.');
  const id = Object.hasOwn(SUBJECTS, noun) ? detail[SUBJECTS[noun as SubjectNoun]] : undefined;
  return typeof id === 'number' ? `${noun}:${id}` : null;
}
