/** `esignctl find` (rules 10). */
import type { RequestView } from '../../core/requests/requests.js';
import type { UserRow } from '../../core/rows.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { asText, limit, param, several } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';
import { fullName } from '../../core/users/names.js';

const WORDS = param(
  'any part of a name, e-mail address, phone number, serial number or title, in any letter case and with or without accents; or a reference, signId or paymentId',
  asText,
);

export const find = verb('find', {
  about: 'find requests and customers by anything known about them',
  args: { words: several(WORDS, { isText: true }) },
  options: { limit: limit('at most this many requests, and this many customers') },
  examples: ['dupont', 'helene dupont boiler', '06 12 34 56 78', 'req 2026 69 --json'],
  async read(shell, { words, limit }) {
    const core = await import('../../core/requests/find-requests.js');
    const { notFound } = await import('../../core/errors.js');
    const { out } = shell;
    const search = words.join(' ');
    const found = core.findRequests(shell, search, limit);
    const requests = found.rows.map(requestFound);
    const customers = core.findCustomers(shell, search, limit).map(customerFound);
    if (requests.length + customers.length === 0) {
      throw notFound('not_found', `Nothing matches “${search}”.`, 'Try fewer or shorter words.');
    }
    out.result({ requests, customers }, () => {
      if (requests.length > 0) tellTable(out, REQUESTS, requests);
      if (requests.length > 0 && customers.length > 0) out.line('');
      if (customers.length > 0) tellTable(out, CUSTOMERS, customers);
    });
    const isMore = found.total > requests.length || found.isCapped;
    if (isMore)
      out.warn(
        `${requests.length} of ${counted(found.total, 'request')}${found.isCapped ? ' or more' : ''} shown; add a word to narrow the search, or show more with --limit`,
      );
    else out.note(`${counted(requests.length, 'request')}, ${counted(customers.length, 'customer')}`);
  },
});

type RequestFound = ReturnType<typeof requestFound>;
type CustomerFound = ReturnType<typeof customerFound>;

const REQUESTS: readonly ListColumn<RequestFound>[] = [
  { head: 'REFERENCE', of: ({ reference }) => reference },
  { head: 'STATUS', of: ({ status }) => ({ state: status }) },
  { head: 'CUSTOMER', of: ({ name, customer }) => name || customer },
  { head: 'E-MAIL', of: ({ customer }) => customer },
  { head: 'TITLE', isWide: true, of: ({ title }) => title },
];

const CUSTOMERS: readonly ListColumn<CustomerFound>[] = [
  { head: 'USER', align: 'right', of: ({ id }) => id },
  { head: 'NAME', of: ({ name }) => name },
  { head: 'E-MAIL', of: ({ username }) => username },
  { head: 'PHONE', of: ({ phone }) => phone },
];

function requestFound({ request, customer }: RequestView) {
  const { id, reference, status, title, createdAt } = request;
  return { id, reference, status, title, customer: customer.username, name: fullName(customer), createdAt };
}

function customerFound(user: UserRow) {
  const { id, username, phone } = user;
  return { id, username, name: fullName(user), phone };
}
