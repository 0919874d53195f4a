/**
 * What to answer a customer who asks (rules 10): three sentences about the present state of the request, in the language of
 * the mails to customers, without words of ours such as statuses, ids or commands.
 */
import { payLink } from '../payment/pay-link.js';
import type { Context } from '../context.js';
import { formatDay, formatMoney } from '../texts/format.js';
import { text } from '../texts/index.js';
import { oneLine } from '../texts/plain.js';
import { localeOf } from '../users/reader.js';
import type { CaseFile } from './case-file.js';
import type { Finding } from './finding.js';
import type { Reply } from './findings-table.js';

/** `findings` are those of the moment, most serious first. */
export function replyTo({ config }: Context, file: CaseFile, findings: readonly Finding[]): string {
  const { timeZone, baseUrl } = config;
  const { request, contract, customer } = file;
  const locale = localeOf(config, customer);
  const [answer = 'checking'] = findings.flatMap(({ reply }) => reply ?? []);
  const reply = answer === 'sign' && hasOldLink(file) ? 'sign_newest' : answer;
  const link = payLink(baseUrl, request);
  return text(locale, `reply.${link === null && NEEDS_LINK.includes(reply) ? 'pay_soon' : reply}`, {
    title: oneLine(request.title),
    reference: request.reference,
    date: contract?.expiredAt ? formatDay({ locale, timeZone }, contract.expiredAt) : '–',
    amount: contract ? formatMoney(locale, contract.amount, contract.currency) : '–',
    link: link ?? '',
  });
}

/** The customer also has the mail of a contract that does not count any more. */
function hasOldLink({ contract, contracts }: CaseFile): boolean {
  return contracts.some(({ id, signId }) => id !== contract?.id && signId !== null);
}

const NEEDS_LINK: readonly Reply[] = ['pay', 'pay_failed'];
