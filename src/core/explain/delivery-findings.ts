/** What others were to hear of the request and did not: their subscription is off, or a delivery failed for good. */
import { finding, type Facts, type Finding } from './finding.js';

/** Deliveries whose job failed are not told here: that job is in the failed list. */
export function deliveryFindings(facts: Facts): Finding[] {
  const { deliveries, jobs } = facts.file;
  const inFailedList = new Set(
    jobs.flatMap((job) =>
      job.kind === 'deliver-webhook' && job.state === 'failed' ? [job.payload.deliveryId] : [],
    ),
  );
  const missed = deliveries.filter(({ state }) => state === 'failed');
  // Switched off by its owner, nobody waits for it.
  const off = missed.find(({ active, disabledReason }) => !active && disabledReason !== null);
  if (off) {
    const webhook = off.webhookId;
    return [finding(facts, 'trouble', 'subscription_disabled', `webhooks enable ${webhook}`, { webhook })];
  }
  const lost = missed.filter(({ id, active }) => active && !inFailedList.has(id)).map(({ id }) => id);
  if (lost.length === 0) return [];
  const next = `webhooks redeliver ${lost.join(' ')}`;
  return [finding(facts, 'waiting', 'delivery_missed', next, { deliveries: lost.join(', ') })];
}
