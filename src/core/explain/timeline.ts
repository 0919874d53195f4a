/** The time line of a request across its contracts: who did what, what came in, what was tried, what a date brought. */
import type { Context } from '../context.js';
import { getRequest } from '../requests/get-request.js';
import { openCase, type CaseFile } from './case-file.js';
import { passedDates } from './timeline-dates.js';
import { sayer, type TimelineEntry } from './timeline-entry.js';
import { historyEntries } from './timeline-history.js';
import { inboundEntries } from './timeline-inbound.js';
import { jobEntries } from './timeline-jobs.js';

export type { TimelineEntry } from './timeline-entry.js';

/** The time line of one request, oldest first; throws `request_not_found`. */
export function timelineOfRequest(ctx: Context, requestId: number): TimelineEntry[] {
  return timelineOf(ctx, openCase(ctx, getRequest(ctx, requestId)));
}

export function timelineOf(ctx: Context, file: CaseFile): TimelineEntry[] {
  const say = sayer(ctx);
  return inOrder([
    ...inboundEntries(say, file),
    ...historyEntries(say, file),
    ...jobEntries(say, file),
    ...passedDates(say, file),
  ]);
}

/** By time, and stable: of the same moment a delivery stands before what it brought. */
export function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
