/** `esignctl find` (rules 10). */
import { REQUESTS } from '../../core/resources/requests.js';
import { part } from '../../core/resources/resource.js';
import { USERS } from '../../core/resources/users.js';
import { asText, limit, param, several } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const WORDS = param(
  'any part of a name, e-mail address, phone number, serial number or title, in any letter case and with or without accents; or a reference, signId or paymentId',
  asText,
);

const REQUESTS_FOUND = part(REQUESTS, [
  'id',
  'reference',
  'status',
  'title',
  'customer',
  'name',
  'createdAt',
]);
const CUSTOMERS_FOUND = part(USERS, ['id', 'username', 'name', 'phone']);

export const find = verb('find', {
  about: 'find requests and customers by anything known about them',
  args: { words: several(WORDS, { isText: true }) },
  options: { limit: limit('at most this many requests, and this many customers') },
  examples: ['dupont', 'helene dupont boiler', '06 12 34 56 78', 'req 2026 69 --json'],
  async read(shell, { words, limit }) {
    const core = await import('../../core/requests/find-requests.js');
    const { notFound } = await import('../../core/errors.js');
    const { documentsOf, tellRowsOf } = await import('../output/rows.js');
    const { config, out } = shell;
    const search = words.join(' ');
    const found = core.findRequests(shell, search, limit);
    const requests = found.rows;
    const customers = core.findCustomers(shell, search, limit);
    if (requests.length + customers.length === 0) {
      throw notFound('not_found', `Nothing matches “${search}”.`, 'Try fewer or shorter words.');
    }
    const documents = {
      requests: documentsOf(REQUESTS_FOUND, requests, config),
      customers: documentsOf(CUSTOMERS_FOUND, customers, config),
    };
    out.result(documents, () => {
      if (requests.length > 0) tellRowsOf(out, REQUESTS_FOUND, requests, config);
      if (requests.length > 0 && customers.length > 0) out.line('');
      if (customers.length > 0) tellRowsOf(out, CUSTOMERS_FOUND, customers, config);
    });
    const isMore = found.total > requests.length || found.isCapped;
    if (isMore)
      out.warn(
        `${requests.length} of ${counted(found.total, 'request')}${found.isCapped ? ' or more' : ''} shown; add a word to narrow the search, or show more with --limit`,
      );
    else out.note(`${counted(requests.length, 'request')}, ${counted(customers.length, 'customer')}`);
  },
});
