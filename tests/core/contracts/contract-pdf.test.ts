import { inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  renderContractPdf,
  SIGNATURE_ANCHOR,
  type ContractTerms,
} from '../../../src/core/contracts/contract-pdf.js';
import { someTerms } from '../../support/contract-terms.js';
import { ANY_CHARACTER } from '../../support/any-character.js';
import { textOf } from '../../support/read-pdf.js';

const ADA = someTerms().customer;
const ANCHORS_OF_A_CUSTOMER = [
  SIGNATURE_ANCHOR,
  '{{s1|signature|85|37}}',
  '{\u0000{s1|signature|85|37}}',
  '{\u200b{\u{1f600}{s1|signature|85|37}}',
  '{ \n {{{s1|signature|85|37}}',
  '\uff5b\uff5bs1|signature|85|37}}',
];

describe('the contract PDF', () => {
  test('the same terms give the same bytes, other terms give others', async () => {
    const first = await renderContractPdf(someTerms());
    const second = await renderContractPdf(someTerms());
    const other = await renderContractPdf(someTerms({ madeAt: '2026-03-03T09:14:07.000Z' }));

    expect(second.equals(first)).toBe(true);
    expect(other.equals(first)).toBe(false);
  });

  test('it is a whole, tagged A4 document in its language, with every letter embedded', async () => {
    const pdf = (await renderContractPdf(someTerms({ locale: 'fr' }))).toString('latin1');

    expect(pdf).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
    expect(pdf.match(/\/Type \/FontDescriptor/g)?.length).toBe(pdf.match(/\/FontFile2 /g)?.length);
    expect(pdf).not.toMatch(/\/Subtype \/Type1\b/);
    const missing = [
      '/Lang (fr)',
      '/Marked true',
      '/DisplayDocTitle true',
      '/MediaBox [0 0 595.28 841.89]',
      '/Type /Metadata',
      '<pdfuaid:part>1</pdfuaid:part>',
      '(Contrat de maintenance REQ-2026-000123)',
      '(Acme Maintenance)',
      '(Annual service)',
      '+NotoSans-Regular',
      '+NotoSans-Bold',
      '+NotoSans-Plain',
    ].filter((words) => !pdf.includes(words));
    expect(missing).toEqual([]);
  });

  test.each([0, 900, 1800, 2700, 3600, 4300, 5000])(
    'with %i characters to print the anchor is one unbroken run, once, on the page of the box',
    async (length) => {
      const pdf = await renderContractPdf(someTerms({ description: 'Work. '.repeat(900).slice(0, length) }));

      const pages = contentStreams(pdf);
      const withAnchor = pages.filter((page) => page.includes(hexOf(SIGNATURE_ANCHOR)));
      expect(withAnchor).toHaveLength(1);
      expect(withAnchor[0]?.split(hexOf(SIGNATURE_ANCHOR))).toHaveLength(2);
      // The dashed frame is drawn just before, so both share the page.
      expect(withAnchor[0]).toMatch(/\[2 2\] 0 d/);
    },
  );

  test('no text, however hostile, breaks it', async () => {
    const words = fc.string({ unit: ANY_CHARACTER, maxLength: 300 });
    const broken = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
      .map((units) => String.fromCharCode(...units));

    await fc.assert(
      fc.asyncProperty(fc.oneof(words, broken), fc.oneof(words, broken), async (title, description) => {
        const customer = { firstName: title, lastName: description, username: 'a@b.test', phone: null };
        const pdf = await renderContractPdf(someTerms({ title, description, customer, issuer: title }));
        expect(contentStreams(pdf).join('').split(hexOf(SIGNATURE_ANCHOR))).toHaveLength(2);
      }),
      { numRuns: 25 },
    );
  });

  test('the longest unbroken words and thousands of lines still fit on pages below the anchor limit', async () => {
    const wide = 'W'.repeat(255);
    const customer = {
      firstName: wide,
      lastName: wide,
      username: `${'w'.repeat(240)}@a.test`,
      phone: '+33612345678',
    };
    const equipment = { name: wide, model: wide, serialNumber: wide };
    const terms = someTerms({ title: wide, customer, equipment, issuer: wide });

    const unbroken = await renderContractPdf({ ...terms, description: 'W'.repeat(5000) });
    const lines = await renderContractPdf({ ...terms, description: 'a\n'.repeat(2500) });

    expect(pageCount(unbroken)).toBeLessThan(10);
    expect(pageCount(lines)).toBeLessThan(100);
  });
});

describe('what a reader sees', () => {
  test.each(ANCHORS_OF_A_CUSTOMER)('a customer cannot place a second anchor with %j', async (words) => {
    const customer = { firstName: words, lastName: words, username: 'a@b.test', phone: words };
    const equipment = { name: words, model: words, serialNumber: words };
    const terms = someTerms({ title: words, description: words, customer, equipment, issuer: words });

    const text = await textOf(await renderContractPdf(terms));

    expect(text.replaceAll(/\s/g, '').match(/\{\{s1/g)).toHaveLength(1);
  });

  test.each<[what: string, terms: Partial<ContractTerms>, says: string[], saysNot?: string]>([
    [
      'a postal address line by line, names of any European alphabet, typography and the euro',
      {
        customer: { ...ADA, firstName: 'Łukasz', lastName: 'Жуков', address: '1 rue Haute\n75001 Paris' },
        description: 'Cœur de chauffe, 5 ≤ 6 → Ωμέγα\tŒuvre',
      },
      [
        'Łukasz Жуков',
        '1 rue Haute',
        '75001 Paris',
        'Cœur de chauffe, 5 <= 6 -> Ωμέγα Œuvre',
        '€120.00',
        'ada@kunde.test',
      ],
    ],
    [
      'in French: parties, equipment, price, term and pages',
      { locale: 'fr', amount: 1_234_567 },
      [
        'Contrat de maintenance',
        'LE PRESTATAIRE',
        'Numéro de série',
        '12 345,67 €',
        '365 jours',
        '1er avril 2026',
        'Page 1 sur 2',
      ],
    ],
    [
      'yen without decimals, and that there is no term',
      { amount: 5000, currency: 'jpy', termDays: 0 },
      ['JP¥5,000', 'It has no fixed end.'],
      'JP¥5,000.',
    ],
  ])('%s', async (_, terms, says, saysNot = 'undefined') => {
    const text = (await textOf(await renderContractPdf(someTerms(terms)))).replaceAll(/[\u00a0\u202f]/g, ' ');
    expect(says.filter((words) => !text.includes(words))).toEqual([]);
    expect(text).not.toContain(saysNot);
  });

  test('control and direction characters are dropped, line breaks kept', async () => {
    const description = 'one\u0007\u202etwo\r\nthree\u2028four';

    const text = await textOf(await renderContractPdf(someTerms({ description })));

    expect(text).toMatch(/onetwo\s*\n\s*three\s*\n\s*four/);
  });
});

/** The drawing commands of each page: the compressed streams that hold text. */
function contentStreams(pdf: Buffer): string[] {
  const parts = pdf
    .toString('latin1')
    .matchAll(/\/Filter \/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\nendstream/g);
  return [...parts]
    .map(([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'))
    .filter((content) => content.includes('\nBT\n'));
}

function pageCount(pdf: Buffer): number {
  return Number(/\/Type \/Pages\s*\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);
}

/** The codes of words in the plain font: each letter has the next number when it first appears. */
function hexOf(words: string): string {
  const letters = [...new Set(words)];
  const codes = Array.from(words, (letter) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0'));
  return `<${codes.join('')}>`;
}
