/** What stays of the details of a history entry about an erased person: our own words, numbers and times; nothing anybody typed. */
import type { HistoryRow } from '../../db/schema.js';

/** Members that hold one of our words, an id or a time. */
const OURS: ReadonlySet<string> = new Set([
  'from',
  'to',
  'status',
  'mail',
  'terms',
  'answer',
  'kind',
  'event',
  'cause',
  'what',
  'word',
  'role',
  'fields',
  'currency',
  'reference',
  'paymentId',
  'signId',
  'externalId',
  'signedAt',
  'sha256',
  'until',
]);

const PLAIN = /^[\w.:+-]{1,100}$/;

/** JSON again. A typed reason is emptied, not removed: its presence shows that a person decided. */
export function redactedDetail({ what, detail }: Pick<HistoryRow, 'what' | 'detail'>): string {
  const members = Object.entries<unknown>(JSON.parse(detail));
  const kept = members.flatMap(([name, value]) => {
    if (mayStay(what, name, value)) return [[name, value]];
    return name === 'reason' ? [[name, '']] : [];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

function mayStay(what: string, name: string, value: unknown): boolean {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true;
  // Why a contract ended is one of our words; any other reason was typed.
  const isOurs = OURS.has(name) || (what === 'contract.ended' && name === 'reason');
  if (!isOurs) return false;
  const words: unknown[] = Array.isArray(value) ? value : [value];
  return words.every((word) => typeof word === 'string' && PLAIN.test(word));
}
