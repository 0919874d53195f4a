/** The list of troubleshootings. */
import { listTroubleshootings, walkTroubleshootings } from '../../db/requests/attached.js';
import type { TroubleshootingReads } from '../resources/troubleshootings.js';

export const page: TroubleshootingReads['page'] = (
  { db },
  { filter, order: { direction }, ownerId, limit, offset },
) => listTroubleshootings(db, { filter: { ...filter, ownerId }, direction, limit, offset });

export const walk: TroubleshootingReads['walk'] = (
  { db },
  { filter, order: { direction }, ownerId, past, limit },
) => walkTroubleshootings(db, { filter: { ...filter, ownerId }, direction, past, limit });
