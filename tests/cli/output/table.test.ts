/** Lists fit the terminal and lose nothing; tab-separated lines keep one row a line. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneCell, tableLines, tsvLines, type Column, localTime } from '../../../src/cli/output/table.js';
import { cut, displayWidth } from '../../../src/cli/output/text-width.js';
import { asTime } from '../../../src/cli/verb/params.js';
import { systemClock } from '../../../src/core/clock.js';
import { ANY_CHARACTER } from '../../support/any-character.js';

const COLUMNS: Column[] = [{ head: 'ID', align: 'right' }, { head: 'KIND' }, { head: 'ERROR', isWide: true }];
const WHOLE: Column[] = [{ head: 'ID', align: 'right' }, { head: 'KIND' }, { head: 'ERROR', isWhole: true }];
const WORDS = fc.array(fc.stringMatching(/^[a-z]{1,60}$/), { minLength: 1, maxLength: 12 });

test('a wide column is cut with an ellipsis: one line a row, none longer than the terminal', () => {
  fc.assert(
    fc.property(WORDS, fc.integer({ min: 40, max: 160 }), (words, width) => {
      const error = words.join(' ');
      const [, line = '', ...more] = tableLines(COLUMNS, [['12', 'send-mail', error]], { width });
      expect(more).toEqual([]);
      expect(line.length).toBeLessThanOrEqual(width);
      const shown = line.slice('12  send-mail  '.length);
      expect(shown === error || (shown.endsWith('…') && error.startsWith(shown.slice(0, -1)))).toBe(true);
    }),
  );
});

test('a column that must stay whole is wrapped: no line is longer than the terminal, no word is lost', () => {
  fc.assert(
    fc.property(WORDS, fc.integer({ min: 60, max: 160 }), (error, width) => {
      const lines = tableLines(WHOLE, [['12', 'send-mail', error.join(' ')]], { width });
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      const shown = lines.slice(1).map((line) => line.slice('12  send-mail  '.length));
      expect(shown.join('').replaceAll(' ', '')).toBe(error.join(''));
    }),
  );
});

test('where the column that gives way would tell too little, each row is a block, and nothing is cut', () => {
  const columns: Column[] = [...COLUMNS.slice(0, 2), { head: 'FAILED AT' }, ...COLUMNS.slice(2)];
  const rows = [
    ['7', 'send-mail', '2026-03-11 10:39:00 UTC', 'the mail server answered 451 Try again later'],
    ['123456', 'create-payment-session', '2026-03-11 10:38:00 UTC', ''],
  ];
  expect(tableLines(columns, rows, { width: 60 })).toEqual([
    'ID               7',
    'KIND             send-mail',
    'FAILED AT (UTC)  2026-03-11 10:39:00',
    'ERROR            the mail server answered 451 Try again',
    '                 later',
    '',
    'ID               123456',
    'KIND             create-payment-session',
    'FAILED AT (UTC)  2026-03-11 10:38:00',
    'ERROR            -',
  ]);
});

test('a zone shared by all times is shown once, in the head; times of two zones keep theirs', () => {
  const columns: Column[] = [{ head: 'ID' }, { head: 'AT' }, { head: 'ERROR', isWide: true }];
  const table = (zones: string[], width: number) => {
    const rows = zones.map((zone) => ['1', `2026-03-11 10:39:00 ${zone}`, 'the mail server answered 451']);
    return tableLines(columns, rows, { width });
  };
  expect(table(['CET', 'CET'], 60)[0]).toBe('ID  AT (CET)             ERROR');
  expect(table(['CET', 'CET'], 60)[1]).toBe('1   2026-03-11 10:39:00  the mail server answered 451');
  expect(table(['CET', 'CET'], 50)).toEqual([
    'ID  AT (CET)             ERROR',
    '1   2026-03-11 10:39:00  the mail server answered…',
    '1   2026-03-11 10:39:00  the mail server answered…',
  ]);
  expect(table(['CET', 'CEST'], 56)[2]).toBe('1   2026-03-11 10:39:00 CEST  the mail server answered…');
});

test('no line is longer than a terminal of 40 columns or more, whatever stands in the cells', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.nat(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', maxLength: 90 })),
        { minLength: 1 },
      ),
      fc.integer({ min: 40, max: 200 }),
      (cells, width) => {
        const rows = cells.map(([id, ...texts]) => [String(id), ...texts.map(oneCell)]);
        for (const line of tableLines(COLUMNS, rows, { width })) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});

test('where the columns do not fit even at their narrowest, each row is a block of its own', () => {
  const columns: Column[] = ['ID', 'FROM', 'EVENT', 'STATE', 'OUTCOME', 'ABOUT'].map((head) => ({ head }));
  const rows = [
    ['1', 'signature provider', 'signature_request.done', 'done', '', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['2', 'payment', 'checkout', 'ignored', 'paid', '-'],
  ];
  expect(tableLines(columns, rows, { width: 30 })).toEqual([
    'ID       1',
    'FROM     signature provider',
    'EVENT    signature_request.don',
    '         e',
    'STATE    done',
    'OUTCOME  -',
    'ABOUT    0f8fad5b-d9cb-469f-a1',
    '         65-70867728950e',
    '',
    'ID       2',
    'FROM     payment',
    'EVENT    checkout',
    'STATE    ignored',
    'OUTCOME  paid',
    'ABOUT    -',
  ]);
});

test('no line of any table is longer than the terminal, however many columns it has', () => {
  const column = fc.record({
    head: fc.stringMatching(/^[A-Z]{1,12}( [A-Z]{1,8})?$/),
    align: fc.constantFrom<'left' | 'right'>('left', 'right'),
    isWide: fc.boolean(),
    isWhole: fc.boolean(),
  });
  const table = fc.array(column, { minLength: 1, maxLength: 10 }).chain((columns) => {
    const cell = fc.string({ unit: fc.constantFrom(...'abcdé-_ 契約'), maxLength: 60 }).map(oneCell);
    const row = fc.array(cell, { minLength: columns.length, maxLength: columns.length });
    return fc.tuple(fc.constant(columns), fc.array(row, { minLength: 1, maxLength: 4 }));
  });
  fc.assert(
    fc.property(table, fc.integer({ min: 20, max: 100 }), ([columns, rows], width) => {
      for (const line of tableLines(columns, rows, { width })) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test('of the columns that may, the widest give way, to the same width; the narrower stay as they are', () => {
  const columns: Column[] = [
    { head: 'ID' },
    { head: 'CUSTOMER', isWide: true },
    { head: 'ERROR', isWide: true },
  ];
  const rows = [['7', 'anna.martin@example.org', 'the mail server answered 451 Try again later']];
  expect(tableLines(columns, rows, { width: 60 })[1]).toBe(
    '7   anna.martin@example.org  the mail server answered 451 T…',
  );
  expect(tableLines(columns, rows, { width: 48 })[1]).toBe(
    '7   anna.martin@example.…  the mail server answ…',
  );
});

test('an address in a sentence is never broken: where it does not fit, each row is a block', () => {
  const url = 'https://receiver.example.org/a/long/path/of/its/own';
  const rows = [['12', 'send-mail', `to ${url} in vain`]];
  expect(tableLines(WHOLE, rows, { width: 54 })).toEqual([
    'ID     12',
    'KIND   send-mail',
    'ERROR',
    `to ${url}`,
    'in vain',
  ]);
  const who = `anna.${'long.'.repeat(8)}name@example.org`;
  expect(tableLines(WHOLE, [['12', who, 'x']], { width: 50 }).slice(1)).toEqual(['KIND', who, 'ERROR  x']);
});

test('letters that take two columns are counted as two, combining accents as none', () => {
  const rows = [['1', '契約契約', 'e\u0301e\u0301']];
  expect(tableLines(COLUMNS, rows, { width: 40 })).toEqual([
    'ID  KIND      ERROR',
    ' 1  契約契約  e\u0301e\u0301',
  ]);
  expect(cut('契約契約', 5)).toBe('契約…');
  expect(cut('契約契約', 6)).toBe('契約…');
});

test('columns stand under their heads, numbers to the right, empty cells as a dash', () => {
  expect(
    tableLines(
      COLUMNS,
      [
        ['7', 'send-mail', ''],
        ['12', 'x', 'y'],
      ],
      { width: 80 },
    ),
  ).toEqual(['ID  KIND       ERROR', ' 7  send-mail  -', '12  x          y']);
});

test('tabs, line ends and escape codes in a value never break a row', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: ANY_CHARACTER }), { minLength: 3, maxLength: 3 }), (row) => {
      const lines = tsvLines(COLUMNS, [row]);
      expect(lines).toHaveLength(2);
      expect(lines[1]?.split('\t')).toHaveLength(3);
      expect(lines[1]).not.toMatch(/[\n\r\u001b]/);
    }),
  );
});

const UTC = { config: { timeZone: 'UTC' }, clock: systemClock };

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02T09:14', '2026-03-02T09:14:00.000Z'],
  ['2026-03-02 09:14:07Z', '2026-03-02T09:14:07.000Z'],
  ['2026-03-02T09:14:07.123+0100', '2026-03-02T08:14:07.123Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('the time %s is understood as %s', (text, time) => expect(asTime(text)(UTC)).toBe(time));

test.each(['', 'tomorrow', '2026-02-29', '2026-13-01', '2026-03-02T25:00', '02/03/2026', '2026-03-02T09'])(
  'the time %j is refused with the forms that are taken',
  (text) => {
    expect(() => asTime(text)).toThrow('Give a date or time');
    expect(() => asTime(text)).toThrow('30min, 12h, 3d, 2w, today, yesterday');
  },
);

test('an address that does not fit is alone on its line, and never cut', () => {
  const columns: Column[] = [
    { head: 'ID', align: 'right' },
    { head: 'EVENT' },
    { head: 'ADDRESS', isLink: true },
  ];
  const url = 'https://receiver.example.org/a/long/path/of/its/own?with=1&more=2';
  const rows = [['7', 'request.updated', url]];
  expect(tableLines(columns, rows, { width: 60 })).toEqual([
    'ID       7',
    'EVENT    request.updated',
    'ADDRESS',
    url,
  ]);
});

test('spare columns are left out, the first of them first, before the column that gives way tells too little', () => {
  const columns: Column[] = [
    { head: 'ID', align: 'right' },
    { head: 'KIND' },
    { head: 'ATTEMPTS', align: 'right', spare: 0 },
    { head: 'FAILED', spare: 1 },
    { head: 'ERROR', isWide: true },
  ];
  const rows = [['7', 'create-payment-session', '4', '2026-03-02', 'payment provider answered 503']];
  const heads = (width: number) => tableLines(columns, rows, { width })[0];
  expect(heads(90)).toBe('ID  KIND                    ATTEMPTS  FAILED      ERROR');
  expect(heads(70)).toBe('ID  KIND                    ATTEMPTS  FAILED      ERROR');
  expect(heads(69)).toBe('ID  KIND                    FAILED      ERROR');
  expect(heads(59)).toBe('ID  KIND                    ERROR');
  // Nothing can be saved any more: everything is shown, a line each.
  expect(tableLines(columns, rows, { width: 47 }).join('\n')).toContain('ATTEMPTS  4\nFAILED');
});

test('people see times with their zone', () => {
  expect(localTime('Europe/Paris', '2026-03-02T09:14:07.123Z')).toBe('2026-03-02 10:14:07 CET');
  expect(localTime('America/Los_Angeles', '2026-03-02T06:14:07.123Z')).toBe('2026-03-01 22:14:07 GMT-8');
});
