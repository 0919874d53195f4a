/**
 * Thin events (rules 3) name a session and say nothing of it: an endpoint that sends them is set up wrongly. That is told until
 * it sends a whole event.
 */
import { findFirstRejection, findNewestInState } from '../../db/inbox/inbox.js';
import type { Db } from '../../db/db.js';
import type { InboxState } from '../../db/schema.js';
import type { Config } from '../settings/config.js';

/** The reason with which they are rejected. */
export const THIN_EVENT = 'thin_event';

const STATES: readonly InboxState[] = ['received', 'done', 'ignored', 'refused'];

/** Since when only these come; undefined: none came, or a whole event has come since, or no events are wanted. */
export function thinSince(db: Db, { paymentWebhookSecrets }: Config): string | undefined {
  if (paymentWebhookSecrets.length === 0) return undefined;
  const whole = STATES.map(
    (state) => findNewestInState(db, { source: 'payment', state })?.receivedAt ?? '',
  ).toSorted();
  return findFirstRejection(db, { reason: THIN_EVENT, after: whole.at(-1) ?? '' })?.at;
}
