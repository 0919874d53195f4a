/** Setting `ESIGN_ADMIN_EMAIL`: who in the office hears of what, as in `anna@x.example, bob@x.example=digest+payments`. */
import { parseMailFrom } from '../mail/address.js';

/** What somebody may hear of; all of it, where nothing is said. */
const HEARD = ['cases', 'digest', 'signatures', 'payments'] as const;
export type Heard = (typeof HEARD)[number];

export interface Hearer {
  address: string;
  hears: readonly Heard[];
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
