/** Lists fit the terminal and lose nothing; tab-separated lines keep one row a line. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableLines, tsvLines, type Column } from '../../src/cli/table.js';
import { localTime, timeOption } from '../../src/cli/times.js';

const COLUMNS: Column[] = [{ head: 'ID', align: 'right' }, { head: 'KIND' }, { head: 'ERROR', isWide: true }];

test('the wide column gives way: no line is longer than the terminal, no word is lost', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,60}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 40, max: 160 }), (error, width) => {
      const lines = tableLines(COLUMNS, [['12', 'send-mail', error.join(' ')]], { width });
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      const shown = lines.slice(1).map((line) => line.slice('12  send-mail  '.length));
      expect(shown.join('').replaceAll(' ', '')).toBe(error.join(''));
    }),
  );
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
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 3, maxLength: 3 }), (row) => {
      const lines = tsvLines(COLUMNS, [row]);
      expect(lines).toHaveLength(2);
      expect(lines[1]?.split('\t')).toHaveLength(3);
      expect(lines[1]).not.toMatch(/[\n\r\u001b]/);
    }),
  );
});

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02T09:14', '2026-03-02T09:14:00.000Z'],
  ['2026-03-02 09:14:07Z', '2026-03-02T09:14:07.000Z'],
  ['2026-03-02T09:14:07.123+0100', '2026-03-02T08:14:07.123Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('the time %s is understood as %s', (text, time) => expect(timeOption(text)).toBe(time));

test.each(['', 'yesterday', '2026-02-29', '2026-13-01', '2026-03-02T25:00', '02/03/2026', '2026-03-02T09'])(
  'the time %j is refused',
  (text) => expect(() => timeOption(text)).toThrow('Give a date or time'),
);

test('people see times with their zone', () => {
  expect(localTime('2026-03-02T09:14:07.123Z')).toMatch(/^2026-03-0[123] \d\d:\d\d:07 \S+$/);
});
