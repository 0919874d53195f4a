/** One line of the time line of a request. */
import type { Context } from '../context.js';
import { text, type TextKey, type TextParams } from '../texts/index.js';

export interface TimelineEntry {
  /** ISO 8601. What is still to come (the next try of a job) has a time in the future. */
  at: string;
  /** Who: webhook, schedule, job, provider, user:<name>, cli:<name>; null where a date did it. */
  actor: string | null;
  /** A word that stays the same whatever the language: `request.moved`, `job.try_failed`, `webhook.rejected` … */
  what: string;
  /** One sentence in the language of the settings. */
  message: string;
  /** Words of somebody else: a reason, a provider's error. Not to be trusted, to be escaped. */
  note: string | null;
  level: 'info' | 'good' | 'trouble';
  contractId: number | null;
  jobId: number | null;
}

/** Puts the words of a key into the language of the settings. */
export type Say = (key: TextKey, params?: TextParams) => string;

export function sayer(ctx: Context): Say {
  return (key, params) => text(ctx.config.locale, key, params);
}

/** An entry with everything that most of them do not have. */
export function entry(
  fields: Pick<TimelineEntry, 'at' | 'what' | 'message'> & Partial<TimelineEntry>,
): TimelineEntry {
  return { actor: null, note: null, level: 'info', contractId: null, jobId: null, ...fields };
}
