/** What the providers have told us is kept, and dealt with once. */
import type { Rows } from './facts.js';

export type Side = 'signature' | 'payment';

/** An event that was answered as a success is on disk. */
export function isOnDisk(rows: Rows, side: Side, eventId: string): boolean {
  return rows('SELECT 1 FROM inbox WHERE source = ? AND eventKey = ?', side, eventId).length > 0;
}

export function stillOpen(rows: Rows): string[] {
  const open = rows("SELECT 1 FROM inbox WHERE state = 'received'").length;
  return open === 0 ? [] : [`${open} events of the inbox are still open`];
}

/** Each payment that the history has from a webhook has an event in the inbox, and vice versa. */
export function paidByEvents(rows: Rows): string[] {
  const ids = (sql: string) =>
    rows<{ contractId: number }>(`${sql} ORDER BY contractId`)
      .map(({ contractId }) => contractId)
      .join();
  const told = ids("SELECT contractId FROM inbox WHERE source = 'payment' AND outcome = 'paid'");
  const got = ids("SELECT contractId FROM history WHERE what = 'payment.received' AND actor = 'webhook'");
  return told === got
    ? []
    : [`paid by webhook: contracts ${told} according to the events, ${got} according to the history`];
}
