/** The time line of a request across its contracts: who did what, what came in, what was tried, which dates passed. */
import { listNewestHistory } from '../../db/history/history.js';
import type { HistoryRow } from '../../db/schema.js';
import { label, type Say } from '../texts/index.js';
import type { Context } from '../context.js';
import type { MailOrder } from '../mail/mail-job.js';
import type { CaseFile } from './case-file.js';
import { entry, sayer, type TimelineEntry } from './timeline-entry.js';
import { historyEntry } from './timeline-history.js';
import { jobEntries } from './timeline-jobs.js';

export type { TimelineEntry } from './timeline-entry.js';

/** At most this many entries of the history are shown; those before them are in the history itself. */
const SHOWN_MAX = 200;

export interface RecentTimeline {
  /** Oldest first. */
  timeline: TimelineEntry[];
  /** The entry of the history before which others were left out; undefined: all is there. */
  cutAt: { id: number } | undefined;
}

/** What has happened of late, which for all but the longest stories is everything. */
export function recentTimeline(ctx: Context, file: CaseFile): RecentTimeline {
  const newest = listNewestHistory(ctx.db, { requestId: file.request.id, limit: SHOWN_MAX + 1 });
  const shown = newest.slice(0, SHOWN_MAX).toReversed();
  const timeline = timelineOf(ctx, file, shown);
  const [cutAt] = newest.length > SHOWN_MAX ? shown : [];
  if (!cutAt) return { timeline, cutAt };
  // Not that of `cutAt`: when the clock is set back, what comes later has an earlier time.
  const since = shown.map(({ at }) => at).reduce((first, at) => (at < first ? at : first));
  return { timeline: timeline.filter(({ at }) => at >= since), cutAt };
}

/** Oldest first. */
export function timelineOf(ctx: Context, file: CaseFile, history: readonly HistoryRow[]): TimelineEntry[] {
  const say = sayer(ctx);
  return inOrder([
    ...receivedEvents(say, file),
    ...rejectedDeliveries(say, file),
    ...oncePerMail(history).map((row) => historyEntry(ctx.config.locale, row)),
    ...jobEntries(say, file),
    ...passedDates(say, file),
  ]);
}

/** A mail to several in the office is one entry, of when the first of them got it. */
function oncePerMail(history: readonly HistoryRow[]): HistoryRow[] {
  const told = new Set<number>();
  return history.filter(({ what, detail }) => {
    if (what !== 'mail.sent') return true;
    const { of }: Pick<MailOrder, 'of'> = JSON.parse(detail);
    if (of === undefined) return true;
    const isFirst = !told.has(of);
    told.add(of);
    return isFirst;
  });
}

/** Sorted by time, stably, so that a delivery comes before its effects. */
export function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function receivedEvents(say: Say, { inbox }: CaseFile): TimelineEntry[] {
  return inbox.map(({ receivedAt: at, source, eventName: event, state, outcome, contractId }) => {
    const word = outcome ?? state;
    const came = label(say, `inbox.outcome.${word}`, word);
    const name = label(say, `inbox.event.${event}`, event);
    const params = { source: say(`timeline.source.${source}`), event: name, outcome: came };
    const message = say('timeline.webhook.received', params);
    const level = state === 'refused' && outcome !== 'repeat' ? 'trouble' : 'info';
    return entry({ at, actor: 'provider', what: 'webhook.received', message, level, contractId });
  });
}

function rejectedDeliveries(say: Say, { rejected }: CaseFile): TimelineEntry[] {
  return rejected.map(({ at, source, reason, address, size }) => {
    const why = label(say, `inbox.rejected.${reason}`, reason);
    const params = { source: say(`timeline.source.${source}`), address, size, reason: why };
    const message = say('timeline.webhook.rejected', params);
    return entry({ at, actor: 'provider', what: 'webhook.rejected', message, level: 'trouble' });
  });
}

/** Which no process recorded: the last moment to sign, the end of a link. */
function passedDates(say: Say, { contracts, payments, now }: CaseFile): TimelineEntry[] {
  const passed = (word: DateWord, at: string | null, contractId: number) => {
    if (at === null || at > now) return [];
    const message = say(`timeline.date.${word}`, { contract: contractId });
    return [entry({ at, what: `date.${word}`, message, level: 'trouble', contractId })];
  };
  // Once the customer has paid, a link does not expire.
  const open = payments.filter(({ state }) => state === 'open');
  return [
    ...contracts.flatMap(({ id, signedAt, expiredAt, status, signUrlExpiresAt }) => [
      ...(signedAt === null ? passed('sign_before', expiredAt, id) : []),
      ...(signedAt === null && status === 'PENDING' ? passed('sign_link', signUrlExpiresAt, id) : []),
    ]),
    ...open.flatMap((link) => passed('payment_link', link.expiresAt, link.contractId)),
  ];
}

type DateWord = 'sign_before' | 'sign_link' | 'payment_link';
