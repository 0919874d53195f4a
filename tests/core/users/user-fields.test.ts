/** The fields of a user in their stored form, and what is wrong with those that have none (rules 1). */
import { expect, test } from 'vitest';
import { signerEmailFault, signerNameFault } from '../../../src/core/users/signer-fields.js';
import { normalPhone, phoneFault, usernameFault } from '../../../src/core/users/user-fields.js';

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
] as const)('%j as it is dialled in %s is %s', (phone, country, stored) => {
  expect([normalPhone(phone, country), phoneFault(phone, country)]).toEqual([stored, undefined]);
});

test('a number without its country is refused where no country is known', () => {
  expect(phoneFault('06 12 34 56 78')).toBe('This value is not a valid phone number.');
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
  ['anna@example.org', undefined],
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
  [signerNameFault, 'x'.repeat(256), expect.any(String)],
])('%o: the signature provider takes %j, or we say why not', (faultOf, value, fault) => {
  expect(faultOf(value)).toEqual(fault);
});
