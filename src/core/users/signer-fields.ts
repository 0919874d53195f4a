/**
 * What the signature provider accepts of a signer: decided here, on input and again before a start. Its letters are fewer than the
 * fonts of the contract print, so a name that passes can be printed.
 */
import { command, type Command } from '../commands.js';
import { BLANK, tooLong } from '../errors.js';
import { plainly } from '../texts/plain.js';

/** The provider's own list. */
const LETTER =
  /[0-9A-Za-zĄÀÁÂÃÄÅÇĆÈÉÊËĘÌÍÎÏŁÑŃÒÓÔÕÖŚÙÚÛÜÝŹŻąàáâãäåæçćèéêëęìíîïłñńòóôõöśùúûüýÿźżßĀāĂăĈĉĊċČčĎďĐđĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŅņŇňŉŊŋŌōŎŏŐőŒœŔŕŖŗŘřŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŽžſøØÆȘșȚț`'() -]/;
const NAME_LENGTH_MAX = 255;

/** ASCII, and a domain with a dot. */
const EMAIL = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/;
export const EMAIL_LENGTH_MAX = 100;

/** The stored form of a name: composed letters, the straight apostrophe where a phone types another, single blanks. */
export function normalName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\u2019\u02bc\u00b4]/g, "'")
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim();
}

interface Person {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
}

export interface SignerRefusal {
  /** Message per field. */
  fields: Record<string, string>;
  /** The first letter of the name that the provider does not take. Undefined: a name is missing, or the address is wrong. */
  letter: string | undefined;
  /** The command that corrects it; what only a person can know is left open in it. */
  fix: Command;
}

/** Why the provider would refuse this customer; undefined: it would not. */
export function signerRefusal({ id, username, firstName, lastName }: Person): SignerRefusal | undefined {
  const names = { firstName, lastName };
  const wrong = NAMES.flatMap(({ field, option }) => {
    const fault = signerNameFault(names[field]);
    return fault === undefined ? [] : { field, option, fault };
  });
  if (wrong.length > 0) {
    return {
      fields: Object.fromEntries(wrong.map(({ field, fault }) => [field, fault])),
      letter: refusedLetter(firstName) ?? refusedLetter(lastName),
      fix: {
        ...command('users edit', id),
        options: wrong.flatMap(({ field, option }) => [option, nearestName(names[field])]),
      },
    };
  }
  const fault = signerEmailFault(username);
  return fault === undefined
    ? undefined
    : { fields: { username: fault }, letter: undefined, fix: command('users set-email', username, '…') };
}

/** Something that is known of them is refused; a name that is missing is asked for at the start. */
export function isRefusedSigner({ username, firstName, lastName }: Omit<Person, 'id'>): boolean {
  return (
    [firstName, lastName].some((name) => refusedLetter(name) !== undefined) ||
    signerEmailFault(username) !== undefined
  );
}

const NAMES = [
  { field: 'firstName', option: '--first-name' },
  { field: 'lastName', option: '--last-name' },
] as const;

/** Without the accents that the provider does not take. An ellipsis: a person has to say. */
function nearestName(name: string): string {
  const nearest = Array.from(normalName(name), nearestLetter).join('').replaceAll('`', "'");
  return nearest === '' || refusedLetter(nearest) !== undefined ? '…' : nearest;
}

function nearestLetter(letter: string): string {
  const [base = '', ...accents] = letter.normalize('NFD');
  const nearest = [letter, ...accents.map((accent) => (base + accent).normalize('NFC')), base];
  return nearest.find((each) => LETTER.test(each)) ?? letter;
}

/** Names the first letter that the provider does not take. */
export function signerNameFault(name: string): string | undefined {
  if (name === '') return BLANK;
  if (name.length > NAME_LENGTH_MAX) return tooLong(NAME_LENGTH_MAX);
  const letter = refusedLetter(name);
  return letter === undefined
    ? undefined
    : `The signature provider accepts only common Latin letters, digits, spaces, hyphens, apostrophes and parentheses in a name, not “${plainly(letter)}”.`;
}

/** Undefined: it takes all of them. */
function refusedLetter(name: string): string | undefined {
  return Array.from(name).find((letter) => !LETTER.test(letter)) ?? /^ | $/.exec(name)?.[0];
}

export function signerEmailFault(address: string): string | undefined {
  if (address.length > EMAIL_LENGTH_MAX) return tooLong(EMAIL_LENGTH_MAX);
  return EMAIL.test(address)
    ? undefined
    : 'The signature provider takes only addresses made of unaccented letters, digits and . _ + -, with a dot in the domain.';
}
