/** What the history tells: moves, contracts, payments, mails, decisions of people. */
import type { HistoryRow } from '../../db/schema.js';
import type { HistoryWord } from '../history.js';
import type { EndReason } from '../lifecycle.js';
import { isTextKey, type TextKey } from '../texts/index.js';
import type { CaseFile } from './case-file.js';
import { jobName, mailName } from './job-words.js';
import { entry, type Say, type TimelineEntry } from './timeline-entry.js';

/** Words of requests whose sentence is a text with parameters; the others are about no request, or told above. */
type PlainWord = Exclude<
  HistoryWord,
  | `${'user' | 'equipment' | 'webhook' | 'data'}.${string}`
  | 'contract.ended'
  | 'signatures.checked'
  | 'contracts.expired'
  | 'database.migrated'
>;

type Detail = Record<string, string | number | undefined>;

export function historyEntries(say: Say, { history }: CaseFile): TimelineEntry[] {
  return history.map((row) => historyEntry(say, row));
}

function historyEntry(say: Say, row: HistoryRow): TimelineEntry {
  const detail = JSON.parse(row.detail) as Detail;
  const { reason, declineReason } = detail;
  const isEnding = row.what === 'contract.ended';
  return entry({
    at: row.at,
    actor: row.actor,
    what: row.what,
    message: sentence(say, row, detail),
    // Of an ending the reason is one of our words, and stands in the sentence.
    note: words(declineReason ?? (isEnding ? undefined : reason)),
    level: levelOf(row.what, detail),
    contractId: row.contractId,
    jobId: typeof detail['jobId'] === 'number' ? detail['jobId'] : null,
  });
}

function words(text: string | number | undefined): string | null {
  return text === undefined || text === '' ? null : String(text);
}

function sentence(say: Say, { what, contractId }: HistoryRow, detail: Detail): string {
  const params = { contract: contractId ?? '', ...known(detail) };
  switch (what) {
    case 'contract.ended': {
      const key = `timeline.ended.${detail['reason'] ?? ''}`;
      return isTextKey(key) ? say(key, params) : say('timeline.ended.other', params);
    }
    case 'contract.pdf_fetched':
      return say(detail['was'] ? 'timeline.contract.pdf_replaced' : 'timeline.contract.pdf_fetched', params);
    case 'contract.sent':
      return say(
        detail['terms'] === 'outdated' ? 'timeline.contract.sent_outdated' : 'timeline.contract.sent',
        params,
      );
    case 'mail.sent':
      return say('timeline.mail.sent', { mail: mailName(say, String(detail['mail'])) });
    case 'signature.checked':
    case 'payment.checked': {
      const key = String(detail['answer']);
      return say(`timeline.${what}`, { ...params, answer: isTextKey(key) ? say(key, params) : key });
    }
    case 'job.pushed':
    case 'job.replayed':
    case 'job.removed':
      return say(`timeline.${what}`, {
        job: detail['jobId'] ?? '',
        name: jobName(say, String(detail['kind'])),
      });
    default: {
      const key: TextKey = `timeline.${what as PlainWord}`;
      return isTextKey(key) ? say(key, params) : what;
    }
  }
}

function known(detail: Detail): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(detail).filter((pair): pair is [string, string | number] => pair[1] != null),
  );
}

const GOOD = ['contract.signed', 'payment.received', 'mail.sent', 'payment.session_created'];
const TROUBLE = [
  'contract.foreign_signature',
  'contract.replaced_signed',
  'contract.signed_late',
  'payment.failed',
  'payment.session_expired',
  'payment.old_session_paid',
  'payment.other_price',
  'job.removed',
];

/** Another contract takes its place. */
const BY_US: unknown[] = ['reset', 'replaced'] satisfies EndReason[];

function levelOf(what: string, detail: Detail): TimelineEntry['level'] {
  if (GOOD.includes(what)) return 'good';
  if (what === 'contract.ended') return BY_US.includes(detail['reason']) ? 'info' : 'trouble';
  return TROUBLE.includes(what) ? 'trouble' : 'info';
}
