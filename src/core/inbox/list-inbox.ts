/** The list of what the providers have sent us. */
import { listInbox } from '../../db/inbox/lists.js';
import type { InboxReads } from '../resources/inbox.js';

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
