/** One line of the time line of a request. */
import type { Context } from '../context.js';
import { sayIn, type Say } from '../texts/index.js';

export interface TimelineEntry {
  /** ISO 8601; in the future for what is still to come, such as a job's next attempt. */
  at: string;
  /** Who: webhook, schedule, job, provider, user:<name>, cli:<name>; null for a date. */
  actor: string | null;
  /** The same in every language: `request.moved`, `job.try_failed`, `webhook.rejected` … */
  what: string;
  /** One sentence in the language of the settings. */
  message: string;
  /** Somebody else's words: a reason, a provider's error. Untrusted: escape it. */
  note: string | null;
  level: 'info' | 'good' | 'trouble';
  contractId: number | null;
  jobId: number | null;
  /** How often the job had been tried by then. */
  attempt: number | null;
}

export function sayer(ctx: Context): Say {
  return sayIn(ctx.config.locale);
}

/** Fills in what most entries do not have. */
export function entry(
  fields: Pick<TimelineEntry, 'at' | 'what' | 'message'> & Partial<TimelineEntry>,
): TimelineEntry {
  return { actor: null, note: null, level: 'info', contractId: null, jobId: null, attempt: null, ...fields };
}
