/** The files of lists (rules 9): what a spreadsheet reads is text, whoever wrote it. */
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../src/core/resources/show.js';

describe('a file for spreadsheets', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' spaces ', '" spaces "'],
    ['=1+1', "'=1+1"],
    ['+33612345678', '+33612345678'],
    ['+1+1', "'+1+1"],
    ['+1\n', '"\'+1\n"'],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a=1', 'a=1'],
    [-5, '-5'],
    ['', ''],
  ])('holds %j as %s', (cell, expected) => {
    expect(csvLine([cell, 'next'], { locale: 'en' })).toBe(`${expected},next\r\n`);
    expect(csvLine([cell, 'next'], { locale: 'fr' })).toBe(`${expected};next\r\n`);
  });
});
