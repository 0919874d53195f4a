/** Sessions, as their page and the archive of a person show them. */
import type { SessionRow } from '../users/sessions.js';
import { describe } from './resource.js';

export const SESSIONS = describe<SessionRow>()({
  lead: 'address',
  fields: {
    address: { kind: 'text', label: 'mail.label.url', of: ({ address }) => address },
    agent: { kind: 'text', label: 'list.agent', of: ({ agent }) => agent, under: 'address' },
    createdAt: { kind: 'time', label: 'list.begunAt', of: ({ createdAt }) => createdAt, fold: 'md' },
    lastSeenAt: {
      kind: 'time',
      label: 'list.lastSeenAt',
      of: ({ lastSeenAt }) => lastSeenAt,
      time: 'ago',
      fold: 'md',
    },
    expiresAt: {
      kind: 'time',
      label: 'list.expiresAt',
      of: ({ expiresAt }) => expiresAt,
      forPrograms: true,
    },
  },
});
