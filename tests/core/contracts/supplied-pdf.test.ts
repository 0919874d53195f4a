/** PDFs that are supplied to be signed: accepted whatever their shape, with a place to sign on their last page, or refused before anything is made. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PDF_BYTES_MAX } from '../../../src/core/contracts/whole-pdf.js';
import { draftPdfPath, signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import type { SignaturePlace } from '../../../src/core/signature/provider.js';
import { judgePdf } from '../../../src/core/signature/prepare-contract.js';
import { rejection, startApp, temporaryDirectory, TESTER, type TestApp } from '../../support/app.js';
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
} from '../../support/odd-pdfs.js';
import { openFile } from '../../support/open-file.js';
import { shownPages } from '../../support/read-pdf.js';
import { startSignature } from '../../support/start-signature.js';

const FIELD = { page: 1, width: 85, height: 37 };
const UPRIGHT = { ...FIELD, x: 60, y: 700 };
const ACROSS = { ...FIELD, x: 60, y: 453 };
const behind = (pdf: Buffer, tail: Buffer) => Buffer.concat([pdf, tail]);

const SHAPES: [string, Buffer, SignaturePlace][] = [
  ['A4', pdfOf([A4]), UPRIGHT],
  ['A4 across', pdfOf([A4_ACROSS]), ACROSS],
  ['A5', pdfOf(['/MediaBox [0 0 420 595]']), { ...FIELD, x: 60, y: 453 }],
  ['turned by 90°', pdfOf([`${A4} /Rotate 90`]), ACROSS],
  ['turned by 180°', pdfOf([`${A4} /Rotate 180`]), UPRIGHT],
  ['turned by 270°', pdfOf([`${A4} /Rotate 270`]), ACROSS],
  ['turned back by 90°', pdfOf([`${A4} /Rotate -90`]), ACROSS],
  ['with an origin elsewhere', pdfOf(['/MediaBox [-300 1000 295 1842]']), UPRIGHT],
  ['with its corners the other way round', pdfOf(['/MediaBox [595 842 0 0]']), UPRIGHT],
  ['cropped', pdfOf([`${A4} /CropBox [100 100 400 500]`]), { ...FIELD, x: 60, y: 258 }],
  ['cropped beyond its paper', pdfOf([`${A4} /CropBox [-100 -100 900 900]`]), UPRIGHT],
  ['with box and turn of the node above', pdfOf([''], { inherited: `${A4} /Rotate 90` }), ACROSS],
  ['packed', packedPdf(A4_ACROSS), ACROSS],
  ['changed after it was made', withNewPage(pdfOf([A4]), A4_ACROSS), ACROSS],
  ['of three pages', pdfOf([A4_ACROSS, A4_ACROSS, A4]), { ...UPRIGHT, page: 3 }],
  ['hardly larger than the field', pdfOf(['/MediaBox [0 0 95.4 37]']), { ...FIELD, x: 5, y: 0 }],
  ['as wide as the field, and low', pdfOf(['/MediaBox [0 0 85 137]']), { ...FIELD, x: 0, y: 50 }],
  ['with NULs behind its end', behind(pdfOf([A4]), NULS), UPRIGHT],
  ['with a proxy’s words behind its end', behind(pdfOf([A4]), PROXY_WORDS), UPRIGHT],
  ['changed, with NULs behind its end', behind(withNewPage(pdfOf([A4]), A4_ACROSS), NULS), ACROSS],
];

test.each(SHAPES)(
  '%s: it is signed at the bottom left of its last page as a reader shows it',
  async (_, pdf, place) => {
    expect(await judgePdf(await openFile(pdf))).toEqual(place);
  },
);

test('whatever its shape, it is sent as it is, signed at that place, and stored', async () => {
  const app = await startApp();
  for (const [shape, pdf, place] of SHAPES) {
    const request = await app.addRequest();
    const contract = await startSignature(app.ctx, request.id, { actor: TESTER, pdf });
    expect(readFileSync(draftPdfPath(app.ctx, contract.id)).equals(pdf)).toBe(true);
    app.sandbox.sign(contract.signId as string);
    await checkSignature(app.ctx, request.id, { actor: TESTER });

    const signed = await shownPages(readFileSync(signedPdfPath(app.ctx, contract.id)));
    const { words = [] } = signed[place.page - 1] ?? {};
    expect([shape, words.length]).toEqual([shape, 3]);
    for (const { left, right, top, bottom } of words)
      expect([
        shape,
        left >= place.x && right <= place.x + place.width,
        top >= place.y - 1 && bottom <= place.y + place.height + 1,
      ]).toEqual([shape, true, true]);
  }
});

const CHANGED = withNewPage(pdfOf([A4]), A4_ACROSS);

const BROKEN: [string, Buffer | Promise<Buffer>, RegExp][] = [
  ['empty', Buffer.alloc(0), /is empty/],
  ['larger than 50 MB', Buffer.alloc(PDF_BYTES_MAX + 1, pdfOf([A4])), /larger than 50 MB/],
  ['a web page', PROXY_WORDS, /is not a PDF/],
  ['cut in half', pdfOf([A4]).subarray(0, 200), /is cut short/],
  ['cut before its end mark', pdfOf([A4]).subarray(0, -6), /is cut short/],
  [
    'cut in a change made later: the customer would get the earlier text',
    CHANGED.subarray(0, -60),
    /is cut short/,
  ],
  ['nothing but a header and an end', Buffer.from('%PDF-1.7\n%%EOF\n'), /cannot be read/],
  ['without pages', pdfOf([]), /cannot be read/],
  [
    'a tree of pages that never ends',
    ofObjects(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
    /cannot be read/,
  ],
  [
    'without one of its pages',
    Buffer.from(pdfOf([A4, A4, A4]).toString().replace('4 0 obj', '9 0 obj')),
    /cannot be read/,
  ],
  ['locked by a password', lockedPdf({ userPassword: 'secret' }), /protected by a password/],
  [
    'to be read but not changed without a password',
    lockedPdf({ ownerPassword: 'secret' }),
    /protected by a password/,
  ],
  ['smaller than a signature', pdfOf([A4, '/MediaBox [0 0 84 842]']), /too small/],
  ['lower than a signature', pdfOf(['/MediaBox [0 0 595 842] /CropBox [0 0 595 36]']), /too small/],
];

const made = (app: TestApp) => [
  app.ctx.db.raw.prepare('SELECT id FROM contracts').all(),
  app.sandbox.state().counters.calls,
];

const REFUSED = (words: RegExp) => ({ kind: 'invalid', fields: { file: expect.stringMatching(words) } });

test.each(BROKEN)(
  'one that is %s is refused, naming `file`, before anything is made',
  async (_, bytes, words) => {
    const app = await startApp();
    const { id, status } = app.request((await app.addRequest()).id);
    const start = startSignature(app.ctx, id, { actor: TESTER, pdf: await bytes });
    expect(await rejection(start)).toMatchObject(REFUSED(words));
    expect([...made(app), app.request(id).status]).toEqual([[], {}, status]);
  },
);

test('by a dry run, too', async () => {
  const { ctx, ...app } = await startApp();
  const { id } = await app.addRequest();
  const start = startSignature(ctx, id, { actor: TESTER, pdf: pdfOf([A4]).subarray(0, 200), dryRun: true });
  expect(await rejection(start)).toMatchObject(REFUSED(/is cut short/));
});

test('one that unpacks to more than a machine holds ends its reader, not the daemon', async () => {
  const bomb = packedPdf(A4, { megabytes: 2_000 });
  expect(bomb.length).toBeLessThan(3 * 1024 ** 2);
  expect(await rejection(judgePdf(await openFile(bomb)))).toMatchObject({
    fields: { file: expect.stringMatching(/cannot be read/) },
  });
});

test('50 MB are not too much', async () => {
  const pdf = pdfOf([A4]);
  const large = Buffer.concat([pdf, Buffer.alloc(PDF_BYTES_MAX - pdf.length)]);
  expect(await judgePdf(await openFile(large))).toEqual(UPRIGHT);
});

test('one that could not be read for a passing reason is read again', async () => {
  const path = join(temporaryDirectory(), 'supplied.pdf');
  const bytes = pdfOf([A4, A4]);
  const pdf = { path, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  expect(await rejection(judgePdf(pdf))).toMatchObject({ code: 'invalid_input' });
  writeFileSync(path, bytes);
  expect(await judgePdf(pdf)).toEqual({ ...UPRIGHT, page: 2 });
});
