/** Requests, as their lists show them (rules 6). */
import { REQUEST_STATUSES } from '../lifecycle.js';
import type { RequestView } from '../requests/requests.js';
import { fullName, nameOrAddress } from '../users/names.js';
import { choice, declare, ref, search, span, type PagedReads, type State } from './resource.js';

const filters = {
  search: search({
    label: 'list.search_requests',
    about:
      'with all these words in the customer’s name, e-mail address or phone number, the serial number or the title, in any letter case and with or without accents; at most the newest 1,000',
  }),
  status: choice(REQUEST_STATUSES, { label: 'list.status', about: 'with this status', said: 'state' }),
  owner: ref('users', { label: 'list.owner', about: 'of this customer' }),
  equipment: ref('equipments', { label: 'list.equipment', about: 'about this equipment' }),
  createdAt: span({ label: 'list.createdAt', about: 'created' }),
};
/** As people see it: nobody waits for the signature of a contract that is over. */
export function requestState({ request, contract }: Pick<RequestView, 'request' | 'contract'>): State {
  if (request.status !== 'WAITING_SIGNATURE' || contract?.status !== 'EXPIRED') return request.status;
  const { endReason } = contract;
  if (endReason === 'declined') return 'declined';
  return endReason === 'expired' || endReason === 'date_passed' ? 'lapsed' : 'ended';
}

const orders = { createdAt: 'desc', statusSince: 'asc' } as const;

export type RequestReads = PagedReads<RequestView, typeof filters, keyof typeof orders>;

export const REQUESTS = declare<RequestView>()({
  noun: 'request',
  isCounted: true,
  lead: 'name',
  spare: ['createdAt', 'statusSince', 'amount', 'reference'],
  fields: {
    id: { kind: 'id', of: ({ request }) => request.id },
    name: {
      kind: 'text',
      label: 'list.customer',
      of: ({ customer }) => fullName(customer),
      words: ({ customer }) => nameOrAddress(customer),
      to: ({ request }) => `/admin/requests/${request.id}`,
      isLong: true,
      isName: true,
    },
    title: {
      kind: 'text',
      label: 'list.request',
      of: ({ request }) => request.title,
      to: ({ request }) => `/admin/requests/${request.id}`,
      fold: 'md',
      isLong: true,
      isName: true,
    },
    reference: { kind: 'ref', of: ({ request }) => request.reference, fold: 'lg' },
    customer: {
      kind: 'address',
      head: 'E-MAIL',
      label: 'list.username',
      of: ({ customer }) => customer.username,
      forPrograms: true,
    },
    phone: { kind: 'text', of: ({ customer }) => customer.phone, forPrograms: true },
    amount: {
      kind: 'money',
      of: ({ contract }) => contract?.amount ?? null,
      currency: ({ contract }) => contract?.currency,
      isNumber: true,
      fold: 'md',
    },
    currency: { kind: 'text', of: ({ contract }) => contract?.currency ?? null, forPrograms: true },
    status: { kind: 'state', of: ({ request }) => request.status, state: requestState, fold: 'md' },
    statusSince: {
      kind: 'time',
      label: 'list.since',
      of: ({ request }) => request.statusSince,
      time: 'since',
      fold: 'lg',
    },
    createdAt: { kind: 'time', of: ({ request }) => request.createdAt, time: 'day', fold: 'lg' },
  },
  filters,
  orders,
  readers: 'owner',
  load: () => import('../requests/find-requests.js'),
});
