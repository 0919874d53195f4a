/** Entries from the history: moves, contracts, payments, mails, people's decisions. */
import type { HistoryRow } from '../../db/schema.js';
import type { HistoryWord } from '../history/history.js';
import type { EndReason } from '../lifecycle.js';
import { moneyWords } from '../payment/price.js';
import { label, sayIn, type Locale, type Say, type TextKey } from '../texts/index.js';
import { outcomeWords } from '../webhooks/words.js';
import { entry, type TimelineEntry } from './timeline-entry.js';
import { jobName, mailName } from './timeline-jobs.js';

/** History words whose text takes the entry's details as they are; the others have their own code below. */
type PlainWord = Exclude<HistoryWord, 'contract.ended'>;

type Detail = Record<string, string | number>;

function listed(names: unknown): string {
  return Array.isArray(names) ? names.join(', ') : '';
}

export function historyEntry(locale: Locale, row: HistoryRow): TimelineEntry {
  const { at, actor, what, contractId } = row;
  const detail = detailOf(row);
  // An ending's reason is one of our words, already in the sentence.
  const reason = what === 'contract.ended' ? undefined : detail['reason'];
  const note = String(detail['declineReason'] ?? reason ?? '') || null;
  const jobId = typeof detail['jobId'] === 'number' ? detail['jobId'] : null;
  // Its note may follow.
  const message = sentence(locale, row, detail).replace(/\.$/, '');
  return entry({ at, actor, what, message, note, level: levelOf(what, detail), contractId, jobId });
}

/** Without what is null. */
function detailOf({ detail }: HistoryRow): Detail {
  const known = (_: string, value: unknown) => value ?? undefined;
  return JSON.parse(detail, known);
}

/** The date that passed is that of a signed contract. */
function isTermOver({ reason, from }: Detail): boolean {
  return reason === 'date_passed' && from === 'SIGNED';
}

function sentence(locale: Locale, { what, contractId, detail: stored }: HistoryRow, detail: Detail): string {
  const say = sayIn(locale);
  const params = { contract: contractId ?? '', ...detail };
  switch (what) {
    case 'contract.ended':
      return label(
        say,
        `timeline.ended.${isTermOver(detail) ? 'term_over' : (detail['reason'] ?? '')}`,
        say('timeline.ended.other', params),
        params,
      );
    case 'contract.pdf_fetched':
      return say(`timeline.contract.pdf_${detail['was'] ? 'replaced' : 'fetched'}`, params);
    case 'contract.sent':
      return say(`timeline.contract.sent${detail['terms'] === 'outdated' ? '_outdated' : ''}`, params);
    case 'request.moved': {
      const [from, to] = [detail['from'], detail['to']].map((state) => label(say, `state.${state}`, ''));
      return say('timeline.request.moved', { from: from ?? '', to: to ?? '' });
    }
    case 'request.priced':
      return detail['amount'] === undefined
        ? say('timeline.request.unpriced')
        : say('timeline.request.priced', { price: moneyWords(locale, JSON.parse(stored)) });
    case 'price.set':
      return say('timeline.price.set', {
        words: detail['words'] ?? '',
        price: moneyWords(locale, JSON.parse(stored)),
      });
    case 'offer.changed':
    case 'troubleshooting.changed': {
      const { reference = '' } = detail;
      const status = String(detail['status']);
      const states = what === 'offer.changed' ? 'offer.status' : 'state';
      return say(`timeline.${what}`, { reference, status: label(say, `${states}.${status}`, status) });
    }
    case 'payment.received':
    case 'payment.old_session_paid':
    case 'payment.paid_unsigned':
    case 'payment.canceled_paid':
    case 'payment.other_price':
      return say(`timeline.${what}`, {
        paid: moneyWords(locale, JSON.parse(stored)),
        paymentId: detail['paymentId'] ?? '',
      });
    case 'mail.sent':
      return say(`timeline.mail.sent${detail['bare'] ? '_bare' : ''}`, {
        mail: mailName(say, String(detail['mail'])),
      });
    case 'signature.checked':
    case 'payment.checked': {
      const answer = String(detail['answer']);
      const status = String(detail['status'] ?? '');
      const words = { ...params, status: label(say, `asked.signature.${status}`, status) };
      const told = label(say, `asked.${answer}`, label(say, answer, answer, words));
      return say(`timeline.${what}`, { ...params, answer: told });
    }
    case 'job.pushed':
    case 'job.replayed':
    case 'job.removed': {
      return say(`timeline.${what}`, { name: jobName(say, String(detail['kind'])) });
    }
    case 'webhook.disabled':
      return switchedOff(say, detail);
    case 'settings.reloaded':
      return say('timeline.settings.reloaded', { names: listed(detail['taken']) });
    case 'data.taken_over': {
      const left = listed(detail['left']);
      return label(say, `timeline.${what}${left === '' ? '' : '_left'}`, what, { ...params, left });
    }
    case 'payment.renewed':
    case 'request.settled': {
      // None, where no payment waited, or only a signature was settled.
      const payments = listed(detail['payments']);
      return say(`timeline.${what}${payments === '' ? '' : '_payments'}`, { payments });
    }
    case 'user.changed':
    case 'request.changed':
    case 'webhook.changed': {
      const { fields } = detail;
      return Array.isArray(fields)
        ? say(`timeline.${what}_fields`, {
            fields: listed(fields.map((name) => label(say, `field.${name}`, name))),
          })
        : say(`timeline.${what}`);
    }
    default:
      return label(say, `timeline.${what as PlainWord}` satisfies TextKey, what, params);
  }
}

function switchedOff(say: Say, { cause, error }: Detail): string {
  if (cause === undefined) return say('timeline.webhook.disabled');
  const why = cause === 'gone' ? 'gone' : 'failing';
  return say(`timeline.webhook.disabled_${why}`, { error: outcomeWords(say, String(error)) });
}

const GOOD = ['contract.signed', 'payment.received', 'mail.sent', 'payment.session_created'];
const TROUBLE = [
  'contract.foreign_signature',
  'contract.replaced_signed',
  'contract.canceled_signed',
  'contract.signer_refused',
  'contract.signer_error',
  'contract.signed_late',
  'payment.failed',
  'payment.session_expired',
  'payment.old_session_paid',
  'payment.paid_unsigned',
  'payment.canceled_paid',
  'payment.other_price',
  'payment.unknown',
  'job.removed',
  'webhook.disabled',
];

/** Another contract takes its place, or none is wanted. */
const BY_US: unknown[] = ['reset', 'replaced', 'request_canceled'] satisfies EndReason[];

function levelOf(what: string, detail: Detail): TimelineEntry['level'] {
  if (GOOD.includes(what)) return 'good';
  if (what === 'contract.ended') return BY_US.includes(detail['reason']) ? 'info' : 'trouble';
  return TROUBLE.includes(what) ? 'trouble' : 'info';
}
