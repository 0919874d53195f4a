/** Names and addresses that the signature provider takes: one list of letters, the same here and there. */
import { describe, expect, test } from 'vitest';
import { unprintable } from '../../../src/core/contracts/contract-pdf-words.js';
import { refusedSigners } from '../../../src/core/doctor/upkeep-checks.js';
import { withoutAddresses } from '../../../src/core/texts/plain.js';
import { normalName, signerNameFault, signerRefusal } from '../../../src/core/users/signer-fields.js';
import { createSchema, signerInfo } from '../../../sandbox/signature/schemas.js';
import { startApp } from '../../support/app.js';

/** Everything below the letters of the east, and the forms that look like Latin letters. */
const CHARACTERS = Array.from({ length: 0x3000 }, (_, code) => code)
  .concat(Array.from({ length: 0x100 }, (_, i) => 0xff00 + i))
  .slice(1)
  .map((code) => String.fromCodePoint(code));

const isTakenThere = (name: string) => signerInfo.shape.first_name.safeParse(name).success;
const isTaken = (name: string) => signerNameFault(name) === undefined;

test('every letter is judged as the provider judges it, and those that it takes can be printed', () => {
  const differing = CHARACTERS.filter((letter) => isTaken(`A${letter}a`) !== isTakenThere(`A${letter}a`));
  const taken = CHARACTERS.filter((letter) => isTaken(`A${letter}a`));
  expect(differing).toEqual([]);
  expect(taken.length).toBeGreaterThan(250);
  expect(taken.filter((letter) => unprintable(`A${letter}`) !== undefined)).toEqual([]);
});

test.each([
  ['ada@example.org', 0],
  [`${'x'.repeat(88)}@example.org`, 0],
  [`${'x'.repeat(89)}@example.org`, 1],
  ['ädä@example.org', 1],
  ['ada@intranet', 1],
  ['a!b@example.org', 1],
])(
  'of the customers, but not of the administrators, the refused address %s is found: %s',
  async (username, refused) => {
    const app = await startApp();
    await app.addUser({ username, role: 'ROLE_ADMIN' });
    expect(refusedSigners(app.ctx.db, 9)).toEqual([]);
    app.ctx.db.raw.exec(`UPDATE users SET role = 'ROLE_USER'`);
    expect(refusedSigners(app.ctx.db, 9)).toHaveLength(refused);
  },
);

test('refused customers are found among many, and a missing name is not refused', async () => {
  const app = await startApp();
  const { ctx } = app;
  await app.addUser({ lastName: 'Nguyễn' });
  ctx.db.raw.exec(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
    SELECT 'c' || i || '@example.org', 'none', '', '', 'ROLE_USER', 1, '2026', '2026' FROM n`);
  await app.addUser({ firstName: 'Þór' });
  const names = (limit: number) => refusedSigners(ctx.db, limit).map((user) => user.firstName);
  expect([names(9), names(1)]).toEqual([['Ada', 'Þór'], ['Ada']]);
});

test.each([
  ['O’Brien', "O'Brien"],
  ['Mʼbaye', "M'baye"],
  ['N´Diaye', "N'Diaye"],
  ['José'.normalize('NFD'), 'José'],
  [' Jean\u00a0 Pierre\u202f', 'Jean Pierre'],
  ['Anne-Marie (Née  Dupont)', 'Anne-Marie (Née Dupont)'],
])('%j is stored as %j', (typed, stored) => {
  expect(normalName(typed)).toBe(stored);
  expect(signerNameFault(stored)).toBeUndefined();
});

test.each([
  ['Nguyễn', 'ễ'],
  ['Þór', 'Þ'],
  ['Guðrún', 'ð'],
  ['Əliyev', 'Ə'],
  ['Dr. Ott', '.'],
  ['a\u202eb', '<U+202E>'],
  ['Ott ', ' '],
])('of %j the letter “%s” is named', (name, letter) => {
  expect(signerNameFault(name)).toContain(`not “${letter}”`);
});

test.each([
  [{ lastName: 'O’Brien' }, ['users edit', ['--last-name', "O'Brien"]]],
  [{ firstName: 'José'.normalize('NFD') }, ['users edit', ['--first-name', 'José']]],
  [
    { firstName: 'Thị', lastName: 'Nguyễn' },
    ['users edit', ['--first-name', 'Thi', '--last-name', 'Nguyên']],
  ],
  [{ firstName: '`Thị`' }, ['users edit', ['--first-name', "'Thi'"]]],
  [{ lastName: 'Þór' }, ['users edit', ['--last-name', '…']]],
  [{ firstName: '' }, ['users edit', ['--first-name', '…']]],
  [{ username: 'ada@intranet' }, ['users set-email', undefined]],
])('of %j the correction is a command, complete as far as it can be known', (changes, fix) => {
  const ada = { id: 7, firstName: 'Ada', lastName: 'Lovelace', username: 'ada@example.org' };
  expect(signerRefusal(ada)).toBeUndefined();
  const { name, options } = signerRefusal({ ...ada, ...changes })?.fix ?? {};
  expect([name, options]).toEqual(fix);
});

describe('words for the provider without addresses and tags', () => {
  test.each([
    ['Boiler is cold', 'Boiler is cold'],
    ['Ask anna@example.org (boiler)', 'Ask (boiler)'],
    ['See https://a.test/b?c=d now', 'See now'],
    ['www.a.test or example.org: boiler', 'or boiler'],
    ['<b>Boiler</b> <img src=x onerror=alert(1)> cold', 'Boiler cold'],
    ['<<b>script>boiler', 'script boiler'],
    ['Pressure < 2 > 1 bar @ 50 °C, v1.2', 'Pressure 2 1 bar @ 50 °C, v1.2'],
    ['https://only.test', ''],
  ])('%j becomes %j', (words, safe) => {
    expect(withoutAddresses(words)).toBe(safe);
    const name = `REQ-1 ${safe}`.trim();
    expect(createSchema(Date.now()).safeParse({ name, delivery_mode: 'none' }).success).toBe(true);
  });
});
