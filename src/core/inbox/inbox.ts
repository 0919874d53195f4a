/** What the providers have sent us: genuine events, and rejected deliveries. */
import {
  type InboxEvent,
  countRejectedDeliveries,
  findInboxEventById,
  listNewestRejected,
  type ListedEvent,
  listInbox,
} from '../../db/inbox/inbox.js';
import { findContract } from '../../db/contracts/contracts.js';
import type { InboxRow, RejectedDeliveryRow } from '../../db/schema.js';
import type { Data } from '../installation/data.js';
import { notFound } from '../errors.js';
import type { InboxReads } from '../resources/inbox.js';

export type { InboxEvent, InboxRow, ListedEvent, RejectedDeliveryRow };

const REJECTED_SHOWN = 20;

export function newestRejected({ db }: Data, limit = REJECTED_SHOWN): RejectedDeliveryRow[] {
  return listNewestRejected(db, { limit });
}

/** How many have been rejected since the installation, also those that are no longer kept. */
export function rejectedOfAllTime({ db }: Data): number {
  return countRejectedDeliveries(db).count;
}

export interface OpenedEvent {
  event: InboxRow;
  /** Of the contract that it is about. */
  requestId: number | undefined;
}

/** Throws `not_found` when there is none. */
export function getInboxEvent({ db }: Data, id: number): OpenedEvent {
  const event = findInboxEventById(db, { id });
  if (!event) throw notFound('not_found', 'There is no such event.');
  const contract = event.contractId === null ? undefined : findContract(db, { id: event.contractId });
  return { event, requestId: contract?.requestId };
}

// The list of what the providers have sent us.

export const walk: InboxReads['walk'] = ({ db }, { filter, order: { direction }, past, limit }) => {
  const { subject, source, status, receivedAt } = filter;
  return listInbox(db, {
    subject,
    source,
    state: status,
    time: receivedAt,
    direction,
    pastId: past?.id,
    limit,
  });
};
