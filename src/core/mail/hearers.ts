/** Which mails go to whom in the office (setting `ESIGN_ADMIN_EMAIL`). */
import type { Heard, Hearer } from '../settings/hearers.js';
import type { MailOrder } from './mail-job.js';

type ToOthers =
  | 'contract-signed'
  | 'payment-link'
  | 'payment-reminder'
  | 'payment-received'
  | 'request-canceled'
  | 'renewal'
  | 'invitation'
  | 'password-reset';
export type OfficeMail = Exclude<MailOrder['mail'], ToOthers>;

const OF_MAIL: Readonly<Record<OfficeMail, Heard>> = {
  'admin-signed': 'signatures',
  'admin-paid': 'payments',
  digest: 'digest',
  'contract-ended': 'cases',
  'signed-late': 'cases',
  'replaced-signed': 'cases',
  'canceled-signed': 'cases',
  'foreign-signature': 'cases',
  'payment-trouble': 'cases',
  'unknown-payment': 'cases',
  'webhook-disabled': 'cases',
  'run-failing': 'cases',
  'jobs-failed': 'cases',
};

export function isToOffice<O extends Pick<MailOrder, 'mail'>>(order: O): order is O & { mail: OfficeMail } {
  return Object.hasOwn(OF_MAIL, order.mail);
}

/** The addresses that a mail to the office goes to; none, where nobody wants to hear of it. */
export function hearersOf(all: readonly Hearer[], mail: OfficeMail): string[] {
  return all.filter(({ hears }) => hears.includes(OF_MAIL[mail])).map(({ address }) => address);
}
