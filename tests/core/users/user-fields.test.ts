/** The fields of a user in their stored form, and what is wrong with those that have none (rules 1). */
import { expect, test } from 'vitest';
import {
  fullName,
  inLanguage,
  nameOrAddress,
  nameWithAddress,
  whoOf,
} from '../../../src/core/users/names.js';
import { signerEmailFault, signerNameFault, signerRefusal } from '../../../src/core/users/signer-fields.js';
import { tooLong } from '../../../src/core/errors.js';
import { sayIn, type Locale } from '../../../src/core/texts/index.js';
import {
  addressFault,
  localeFault,
  normalAddress,
  normalPhone,
  phoneFault,
  usernameFault,
} from '../../../src/core/users/user-fields.js';

test.each([
  '+33 6 12 34 56 78',
  ' +33.6.12.34.56.78 ',
  '+33-6-12-34-56-78',
  '+33\u00a06\u202f12\u201134\u201356 78',
  '+33 (0)6 12 34 56 78',
  '+33 (6) 12345678',
  '\u202a+33612345678\u202c',
])('the phone number %j is kept without what stands between its digits', (phone) => {
  expect([normalPhone(phone), phoneFault(phone)]).toEqual(['+33612345678', undefined]);
});

test.each(['', ' '])('the phone number %j is none', (phone) => {
  expect([normalPhone(phone), phoneFault(phone)]).toEqual([null, undefined]);
});

test.each([
  '-',
  '()',
  '+33 6 12 34 56 7x',
  'x+33612345678',
  '+33/612345678',
  '+0612345678',
  '+33 612 345 678 901 23',
])('the phone number %j is refused', (phone) => {
  expect(phoneFault(phone)).toBe('This value is not a valid phone number.');
});

test.each([
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['0033 6 12 34 56 78', 'FR', '+33612345678'],
  ['612 345 678', 'ES', '+34612345678'],
  ['+49 30 123456', 'FR', '+4930123456'],
  ['+49 30 123456', 'ES', '+4930123456'],
] as const)('%j as it is dialled in %s is %s', (phone, country, stored) => {
  expect([normalPhone(phone, country), phoneFault(phone, country)]).toEqual([stored, undefined]);
});

test('a number without its country is refused where no country is known, and one that is too short anywhere', () => {
  expect(phoneFault('06 12 34 56 78')).toBe('This value is not a valid phone number.');
  expect(phoneFault('12345', 'ES')).toBe('This value is not a valid phone number.');
});

test.each([
  [null, null, undefined],
  [' \n ', null, undefined],
  [' 1 rue Haute \r\n\n75001 Paris', '1 rue Haute\n75001 Paris', undefined],
  ['1 rue Haute\r75001 Paris', '1 rue Haute\n75001 Paris', undefined],
  ['😀'.repeat(500), '😀'.repeat(500), undefined],
  ['x'.repeat(501), 'x'.repeat(501), expect.stringContaining('500')],
  ['1 rue\u0007Haute', '1 rue\u0007Haute', 'This value is not valid.'],
  ['\u200b', '\u200b', 'This value is not valid.'],
])('the postal address %j is kept in its lines, or we say why not', (address, stored, fault) => {
  expect(normalAddress(address)).toBe(stored);
  expect(addressFault(stored)).toEqual(fault);
});

test.each([
  ['en', undefined],
  ['fr', undefined],
  [null, undefined],
  ['de', 'The value you selected is not a valid choice.'],
])('the language %j: %s', (locale, fault) => {
  expect(localeFault(locale)).toBe(fault);
});

const BLANK = 'This value should not be blank.';
// A shell would run it, or it would be taken for an option, in an advised command.
const UNSAFE = 'This value should not begin with - or contain ` or $.';

test.each([
  ['', BLANK],
  [' ', BLANK],
  ['\u200b', BLANK],
  ['a`id`@example.org', UNSAFE],
  ['$home@example.org', UNSAFE],
  ['--yes@example.org', UNSAFE],
  [`${'x'.repeat(60)}@${'y'.repeat(27)}.example.org`, undefined],
  [`${'x'.repeat(60)}@${'y'.repeat(28)}.example.org`, tooLong(100)],
  ['anna-maria@example.org', undefined],
])('the name %j for a log-in: %s', (username, fault) => {
  expect(usernameFault(username)).toBe(fault);
});

test.each([
  [signerEmailFault, 'anna@example.org', undefined],
  [signerEmailFault, 'änna@example.org', expect.stringContaining('unaccented')],
  [signerEmailFault, 'anna@localhost', expect.stringContaining('domain')],
  [signerNameFault, 'Anna Maria', undefined],
  [signerNameFault, 'Anna & Ben', expect.stringContaining('not “&”')],
  [signerNameFault, 'x'.repeat(255), undefined],
  [signerNameFault, 'x'.repeat(256), tooLong(255)],
])('%o: the signature provider takes %j, or we say why not', (faultOf, value, fault) => {
  expect(faultOf(value)).toEqual(fault);
});

test('of a customer whom the provider would refuse, the first letter that it does not take is named', () => {
  const ada = { id: 1, username: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' };
  expect(signerRefusal(ada)).toBeUndefined();
  expect(signerRefusal({ ...ada, lastName: 'Love&lace+' })?.letter).toBe('&');
  expect(signerRefusal({ ...ada, firstName: 'A|da', lastName: 'Love&lace' })?.letter).toBe('|');
  expect(signerRefusal({ ...ada, username: 'ada@localhost' })?.fields).toHaveProperty('username');
});

test.each([
  ['user:anna@example.org', 'anna@example.org'],
  ['cli:root', 'root (esignctl)'],
  ['schedule', 'scheduled task'],
  ['somebody:else', 'somebody:else'],
  ['once user:anna', 'once user:anna'],
])('who acted as %s is %s', (actor, who) => {
  expect(whoOf(sayIn('en'), actor)).toBe(who);
});

test('settings for a reader are the same but for the language', () => {
  const config = { locale: 'en', timeZone: 'UTC' } as const;
  expect(inLanguage<{ locale: Locale }>(config, 'fr')).toEqual({ locale: 'fr', timeZone: 'UTC' });
});

test('a person is named with the address, or by it alone', () => {
  const ada = { username: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' };
  expect(nameWithAddress(ada)).toBe('Ada Lovelace <ada@example.org>');
  expect(nameWithAddress({ ...ada, firstName: '', lastName: '' })).toBe('<ada@example.org>');
  expect([nameOrAddress(ada), nameOrAddress({ ...ada, firstName: '', lastName: '' })]).toEqual([
    'Ada Lovelace',
    'ada@example.org',
  ]);
  expect([fullName({ ...ada, firstName: '' }), fullName({ ...ada, lastName: '' })]).toEqual([
    'Lovelace',
    'Ada',
  ]);
});
