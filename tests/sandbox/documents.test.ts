/** The signature provider reads what it is sent: it refuses what it cannot read, and a signature that would not lie on its page. */
import { PDF } from '@libpdf/core';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/start.js';
import {
  A4,
  A4_ACROSS,
  lockedPdf,
  NULS,
  ofObjects,
  packedPdf,
  pdfOf,
  PROXY_WORDS,
  withNewPage,
} from '../support/odd-pdfs.js';
import { shownPages } from '../support/read-pdf.js';
import { aSandbox, api, read, SIGNER, uploadForm } from './support.js';

type Problem = { type: string; invalid_params: { name: string }[] };

async function upload(sandbox: Sandbox, pdf: Buffer) {
  const json = { name: 'Contract', delivery_mode: 'none' };
  const { id } = await read<{ id: string }>(await api(sandbox, '/signature_requests', { json }));
  const path = `/signature_requests/${id}`;
  const body = uploadForm(pdf, { parse_anchors: 'false' });
  return { id, path, answer: await api(sandbox, `${path}/documents`, { method: 'POST', body }) };
}

/** Puts a signer with a field on the first page of the document. */
async function withField(sandbox: Sandbox, pdf: Buffer, field: object) {
  const { id, path, answer } = await upload(sandbox, pdf);
  const { id: document_id } = await read<{ id: string }>(answer);
  const fields = [{ document_id, type: 'signature', page: 1, x: 60, y: 60, ...field }];
  return { id, path, answer: await api(sandbox, `${path}/signers`, { json: { ...SIGNER, fields } }) };
}

async function signedPdf(pdf: Buffer, field: object): Promise<Uint8Array> {
  const sandbox = await aSandbox();
  const { id, path, answer } = await withField(sandbox, pdf, field);
  expect(answer.status).toBe(201);
  await api(sandbox, `${path}/activate`, { method: 'POST' });
  sandbox.sign(id);
  const signed = await api(sandbox, `${path}/documents/download?version=completed`);
  return new Uint8Array(await signed.arrayBuffer());
}

test.each([
  ['no PDF', Buffer.from('<html></html>')],
  ['cut in half', pdfOf([A4]).subarray(0, 200)],
  ['cut in a change made later', withNewPage(pdfOf([A4]), A4_ACROSS).subarray(0, -60)],
  ['without pages', pdfOf([])],
  ['nothing but a header and an end', Buffer.from('%PDF-1.7\n%%EOF\n')],
])('a document that is %s is refused', async (_, pdf) => {
  const { answer } = await upload(await aSandbox(), pdf);
  expect(answer.status).toBe(400);
  expect((await read<Problem>(answer)).type).toBe('document.analyze_error');
});

test.each([{ userPassword: 'secret' }, { ownerPassword: 'secret' }])(
  'a document that is protected is taken, but no signer with it',
  async (passwords) => {
    const sandbox = await aSandbox();
    const { path, answer } = await upload(sandbox, await lockedPdf(passwords));
    expect(answer.status).toBe(201);
    expect(await read(answer)).toMatchObject({ is_protected: true, is_locked: true });
    const refused = await api(sandbox, `${path}/signers`, { json: SIGNER });
    expect([refused.status, (await read<Problem>(refused)).type]).toEqual([400, 'document.locked']);
  },
);

test.each([
  ['beyond the right edge', pdfOf([A4]), { x: 511 }, 'x'],
  ['below the bottom edge', pdfOf([A4]), { y: 806 }, 'y'],
  ['below that of a page across', pdfOf([A4_ACROSS]), { y: 700 }, 'y'],
  ['below that of a turned page', pdfOf([`${A4} /Rotate 90`]), { y: 700 }, 'y'],
  ['in what is cropped', pdfOf([`${A4} /CropBox [0 400 595 842]`]), { y: 420 }, 'y'],
  ['on a page that there is not', pdfOf([A4]), { page: 2 }, 'page'],
  ['smaller than a signature', pdfOf([A4]), { width: 84 }, 'width'],
  ['between two points', pdfOf([A4]), { x: 60.5 }, 'x'],
])('a field %s is refused', async (_, pdf, field, name) => {
  const { answer } = await withField(await aSandbox(), pdf, field);
  expect(answer.status).toBe(400);
  expect((await read<Problem>(answer)).invalid_params).toMatchObject([{ name: `fields.0.${name}` }]);
});

describe('a signature is drawn upright within its field', () => {
  test.each([
    ['A4', pdfOf([A4])],
    ['A4 across', pdfOf([A4_ACROSS])],
    ['turned by 90°', pdfOf([`${A4} /Rotate 90`])],
    ['turned by 180°', pdfOf([`${A4} /Rotate 180`])],
    ['turned by 270°', pdfOf([`${A4} /Rotate 270`])],
    ['with an origin elsewhere', pdfOf(['/MediaBox [-300 1000 295 1842]'])],
    ['cropped and turned', pdfOf([`${A4} /CropBox [100 200 400 800] /Rotate 90`])],
    ['with its corners the other way round', pdfOf(['/MediaBox [595 842 0 0]'])],
    ['with box and turn of the node above', pdfOf([''], { inherited: `${A4} /Rotate 270` })],
    ['packed', packedPdf(A4)],
    ['with NULs behind its end', Buffer.concat([pdfOf([A4]), NULS])],
    ['with a proxy’s words behind its end', Buffer.concat([pdfOf([A4]), PROXY_WORDS])],
  ])('%s', async (_, pdf) => {
    const field = { x: 150, y: 200, width: 140, height: 45 };
    const [{ words } = { words: [] }] = await shownPages(await signedPdf(pdf, field));
    expect(words).toHaveLength(3);
    for (const { left, right, top, bottom, isUpright } of words) {
      expect(isUpright).toBe(true);
      expect(left).toBeGreaterThanOrEqual(field.x);
      expect(right).toBeLessThanOrEqual(field.x + field.width);
      expect(top).toBeGreaterThanOrEqual(field.y - 1);
      expect(bottom).toBeLessThanOrEqual(field.y + field.height + 1);
    }
  });

  test('and the page keeps the fonts that it inherits', async () => {
    const drawing = 'BT /F1 10 Tf 50 700 Td (Our terms) Tj ET';
    const pdf = ofObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 5 0 R >> >> >>',
      `<< /Type /Page /Parent 2 0 R ${A4} /Contents 4 0 R >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ]);
    const signed = await PDF.load(await signedPdf(pdf, {}));
    const fonts = signed.getPage(0)?.getResources().getDict('Font');
    expect([...(fonts?.keys() ?? [])].map(({ value }) => value)).toEqual(['F1', 'F0']);
  });
});
