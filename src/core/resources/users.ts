/** Users, as their lists show them (rules 6). */
import { rolesOf, type UserRow } from '../users/rights.js';
import { CREATED_AT, ID } from './fields.js';
import { declare, search, text, type PagedReads, describe } from './resource.js';
import { fullName, nameOrAddress } from '../users/names.js';
import type { SessionRow } from '../users/sessions.js';

const filters = {
  search: search({
    label: 'list.search_users',
    about: 'with all these words in the name, e-mail address or phone number; at most the newest 1,000',
  }),
  username: text({
    label: 'list.username',
    about: 'with this e-mail address, in any letter case',
    example: 'anna@example.org',
  }),
};
const orders = { createdAt: 'asc', username: 'asc' } as const;

export type UserReads = PagedReads<UserRow, typeof filters, keyof typeof orders>;

export const USERS = declare<UserRow>()({
  noun: 'user',
  lead: 'username',
  spare: ['createdAt', 'locale', 'phone', 'roles', 'name'],
  fields: {
    id: ID,
    username: { kind: 'address', head: 'E-MAIL', fold: 'md' },
    name: {
      kind: 'text',
      of: fullName,
      words: nameOrAddress,
      to: ({ id }) => `/admin/users/${id}`,
      isLong: true,
    },
    firstName: { kind: 'text', partOf: 'name' },
    lastName: { kind: 'text', partOf: 'name' },
    phone: { kind: 'text', fold: 'lg' },
    address: { kind: 'text', forPrograms: true },
    locale: { kind: 'text', fold: 'lg' },
    roles: { kind: 'text', of: rolesOf, words: ({ role }, say) => say(`role.${role}`), fold: 'md' },
    enabled: {
      kind: 'flag',
      label: 'list.status',
      of: ({ enabled }) => enabled === 1,
      state: ({ enabled }) => (enabled === 1 ? 'enabled' : 'disabled'),
    },
    createdAt: CREATED_AT,
  },
  filters,
  orders,
  readers: 'administrator',
  load: () => import('../users/list-users.js'),
});

/** On pages, where a customer is a name; on a terminal it is the address, by which commands name them. */
export const CUSTOMERS = { ...USERS, lead: 'name' };

// Sessions, as their page and the archive of a person show them.

export const SESSIONS = describe<SessionRow>()({
  lead: 'address',
  fields: {
    address: { kind: 'text', label: 'mail.label.url', of: ({ address }) => address },
    agent: { kind: 'text', under: 'address' },
    createdAt: { kind: 'time', label: 'list.begunAt', fold: 'md' },
    lastSeenAt: { kind: 'time', time: 'ago', fold: 'md' },
    expiresAt: { kind: 'time', forPrograms: true },
  },
});
