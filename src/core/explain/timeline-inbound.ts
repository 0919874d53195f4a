/** What the providers told us: genuine deliveries with what came of them, and those that were turned away with the reason. */
import type { InboxEvent } from '../../db/case-file.js';
import { isTextKey } from '../texts/index.js';
import type { CaseFile } from './case-file.js';
import { entry, type Say, type TimelineEntry } from './timeline-entry.js';

export function inboundEntries(say: Say, { inbox, rejected }: CaseFile): TimelineEntry[] {
  return [
    ...inbox.map((event) => inboxEntry(say, event)),
    ...rejected.map(({ at, source, reason, address, size }) =>
      entry({
        at,
        actor: 'provider',
        what: 'webhook.rejected',
        message: say('timeline.webhook.rejected', {
          source: say(`timeline.source.${source}`),
          address,
          size,
          reason: rejectionReason(say, reason),
        }),
        level: 'trouble',
      }),
    ),
  ];
}

function inboxEntry(say: Say, { receivedAt, source, eventName, state, outcome, contractId }: InboxEvent) {
  const params = {
    source: say(`timeline.source.${source}`),
    event: eventName,
    outcome: outcomeWords(say, outcome ?? state),
  };
  return entry({
    at: receivedAt,
    actor: 'provider',
    what: 'webhook.received',
    message: say('timeline.webhook.received', params),
    level: state === 'refused' && outcome !== 'repeat' ? 'trouble' : 'info',
    contractId,
  });
}

/** What came of an inbound event, in words. */
export function outcomeWords(say: Say, outcome: string): string {
  const key = `inbox.outcome.${outcome}`;
  return isTextKey(key) ? say(key) : outcome;
}

/** Why a delivery was turned away, in words. */
export function rejectionReason(say: Say, reason: string): string {
  const key = `inbox.rejected.${reason}`;
  return isTextKey(key) ? say(key) : reason;
}
