/** Who in the office hears of what (setting `ESIGN_ADMIN_EMAIL`): `anna@x.example, bob@x.example=digest+payments`. */
import { parseMailFrom } from './address.js';
import type { MailOrder } from './mail-job.js';

/** What somebody may hear of; all of it, where nothing is said. */
const HEARD = ['cases', 'digest', 'signatures', 'payments'] as const;
type Heard = (typeof HEARD)[number];

export interface Hearer {
  address: string;
  hears: readonly Heard[];
}

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

/** Throws an Error that says what is wrong. */
export function parseHearers(text: string): readonly Hearer[] {
  const all = text.split(',').map(hearerOf);
  const addresses = all.map(({ address }) => address.toLowerCase());
  if (new Set(addresses).size < addresses.length) throw new Error('names an address twice');
  if (!all.some(({ hears }) => hears.includes('cases'))) throw new Error('names nobody who hears of cases');
  return all;
}

function hearerOf(one: string): Hearer {
  const [address = '', words, ...rest] = one.split('=');
  const hears = words === undefined ? HEARD : words.split('+').map((word) => heardAs(word.trim()));
  if (rest.length > 0) throw new Error('has more than one = in an entry');
  return { address: parseMailFrom(address).address, hears };
}

function heardAs(word: string): Heard {
  const heard = HEARD.find((each) => each === word);
  if (heard === undefined) throw new Error(`says “${word}”, which is none of ${HEARD.join(', ')}`);
  return heard;
}

/** For `doctor`: `anna@x.example (all), bob@x.example (digest, payments)`. */
export function hearersInWords(all: readonly Hearer[]): string {
  return all
    .map(({ address, hears }) => `${address} (${hears.length === HEARD.length ? 'all' : hears.join(', ')})`)
    .join(', ');
}
