import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
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

test('two signers, two anchors on one line', async () => {
  const pdf = new PdfDocument();
  pdf.fontSize(10).text('Here {{s1|signature|85|37}} and {{s2|signature|85|37}}');
  pdf.end();
  const anchors = await findAnchors(await buffer(pdf));
  expect(anchors.map(({ signer }) => signer)).toEqual([1, 2]);
  expect(anchors[0]!.x).toBeLessThan(anchors[1]!.x);
});
