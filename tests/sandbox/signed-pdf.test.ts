import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PDF } from '@libpdf/core';
import { readPdf } from '../../sandbox/pdf/read.js';
import { stampPdf } from '../../sandbox/pdf/stamp.js';
import { contractPdf } from '../../simulation/people/contract-pdf.js';
import { aContractPdf } from './support.js';

const textOf = async (bytes: Buffer): Promise<string[]> =>
  (await PDF.load(bytes)).getPages().map((page) => page.extractText().text);
const findAnchors = async (bytes: Buffer) => (await readPdf(bytes))?.anchors ?? [];

test('the anchor of a compressed pdfkit page is found with its page, size and place', async () => {
  const pdf = await aContractPdf();
  const [anchor, ...others] = await findAnchors(pdf);

  expect(others).toEqual([]);
  expect(anchor).toMatchObject({ signer: 1, page: 2, width: 180, height: 60, x: 72 });
  // Below the heading of an A4 page, counted from the bottom.
  expect(anchor!.y).toBeGreaterThan(600);
  expect(anchor!.y).toBeLessThan(720);
});

test('the stamp shows name, date and id on the page of the anchor and keeps every byte of the original', async () => {
  const pdf = await aContractPdf();
  const [anchor] = await findAnchors(pdf);
  const lines = ['Signed by Zoé Łuk', '2026-03-02 09:14:07 UTC', 'some-id'];

  const stamped = await stampPdf(pdf, [{ place: { from: 'anchor', ...anchor! }, lines }]);

  expect(stamped.subarray(0, pdf.length).equals(pdf)).toBe(true);
  const [first, second] = await textOf(stamped);
  expect(first).not.toContain('some-id');
  for (const line of ['Signed by Zoé Luk', '2026-03-02 09:14:07 UTC', 'some-id'])
    expect(second).toContain(line);
  expect((await stampPdf(pdf, [{ place: { from: 'anchor', ...anchor! }, lines }])).equals(stamped)).toBe(
    true,
  );
});

test('a PDF without an id of its own is stamped to the same bytes on every call', async () => {
  const pdf = contractPdf('for nobody');
  const stamp = () => stampPdf(pdf, [{ place: undefined, lines: ['here'] }]);
  const stamped = await stamp();
  expect((await stamp()).equals(stamped)).toBe(true);
  expect((await textOf(stamped))[0]).toContain('here');
});

test('the stamped file has a cross-reference that points at its new objects', async () => {
  const pdf = await aContractPdf();
  const text = (await stampPdf(pdf, [{ place: undefined, lines: ['here'] }])).toString('latin1');
  const table = Number(/startxref\n(\d+)\n%%EOF\n?$/.exec(text)?.[1]);

  expect(text.slice(table, table + 5)).toBe('xref\n');
  // Runs of entries, each behind a line with the first number and how many there are.
  const runs = text.slice(table).matchAll(/^(\d+) \d+\n((?:\d{10} \d{5} n ?\r?\n)+)/gm);
  const objects = [...runs].flatMap(([, first, entries = '']) =>
    [...entries.matchAll(/^(\d{10})/gm)].map(([offset], index) => ({
      number: Number(first) + index,
      offset,
    })),
  );
  expect(objects.length).toBeGreaterThan(2);
  for (const { number, offset } of objects) {
    expect(text.slice(Number(offset)).startsWith(`${number} 0 obj`)).toBe(true);
  }
});

test('without a place the signature goes to the last page', async () => {
  const stamped = await stampPdf(await aContractPdf('nothing'), [
    { place: undefined, lines: ['at the bottom'] },
  ]);
  expect((await textOf(stamped))[1]).toContain('at the bottom');
});

test('a stamped file can be stamped again', async () => {
  const once = await stampPdf(await aContractPdf(), [{ place: undefined, lines: ['one'] }]);
  const elsewhere = { from: 'top', page: 2, x: 300, y: 300, width: 200, height: 40 } as const;
  const twice = await stampPdf(once, [{ place: elsewhere, lines: ['two'] }]);
  const [, second] = await textOf(twice);
  for (const line of ['one', 'two']) expect(second).toContain(line);
});

test('objects packed into object streams are read too', async () => {
  const packed = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>',
  ];
  const header = `1 0 2 ${packed[0]!.length + 1} `;
  const body = deflateSync(Buffer.from(`${header}${packed.join(' ')}`, 'latin1')).toString('latin1');
  const drawing = 'BT /F1 10 Tf 50 700 Td ({{s1|signature|85|37}}) Tj ET';
  const pdf = Buffer.from(
    `%PDF-1.5
3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 7 0 R>>>>>> endobj
7 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
4 0 obj <</Length ${drawing.length}>> stream\n${drawing}\nendstream endobj
5 0 obj <</Type/ObjStm/N 2/First ${header.length}/Filter/FlateDecode/Length ${body.length}>> stream\n${body}\nendstream endobj
6 0 obj <</Type/XRef/Root 1 0 R/Length 0>> stream\n\nendstream endobj
startxref\n0\n%%EOF`,
    'latin1',
  );
  expect(await findAnchors(pdf)).toEqual([{ signer: 1, page: 1, x: 50, y: 671, width: 85, height: 37 }]);
});

test('two signers, two anchors on one line', async () => {
  const pdf = new PdfDocument();
  pdf.fontSize(10).text('Here {{s1|signature|85|37}} and {{s2|signature|85|37}}');
  pdf.end();
  const anchors = await findAnchors(await buffer(pdf));
  expect(anchors.map(({ signer }) => signer)).toEqual([1, 2]);
  expect(anchors[0]!.x).toBeLessThan(anchors[1]!.x);
});
