/** The PDFs on disk: whole or not there, with the right mode, and a crash leaves nothing that stays. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  draftPdfPath,
  findDraftPdf,
  saveDraftPdf,
  signedPdfPath,
  sweepTemporaryFiles,
  sha256Of,
} from '../../../src/core/contracts/contract-files.js';
import type { Context } from '../../../src/core/context.js';
import { anyContractPdf, rejection, temporaryDirectory } from '../../support/app.js';
import { DEAD, LIVING, OURS } from '../../support/holders.js';
import { A4, A4_ACROSS, NULS, pdfOf, PROXY_WORDS, withNewPage } from '../../support/odd-pdfs.js';
import { saveSignedPdf } from '../../support/signed-pdf.js';

/** All that this part asks of a context. */
function aContext(): Context {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'contracts'));
  return { config: { dataDir }, holder: OURS } as Context;
}

const files = (ctx: Context) => readdirSync(join(ctx.config.dataDir, 'contracts'));

async function* pieces(pdf: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < pdf.length; at += size) yield pdf.subarray(at, at + size);
}

test('a PDF that comes in small pieces is stored byte by byte; digest and size are returned', async () => {
  const ctx = aContext();
  const pdf = await anyContractPdf();
  const stored = await saveSignedPdf(ctx, 7, pieces(pdf, 3));
  expect(readFileSync(signedPdfPath(ctx, 7)).equals(pdf)).toBe(true);
  expect(stored).toMatchObject({ sha256: createHash('sha256').update(pdf).digest('hex'), size: pdf.length });
  expect(files(ctx)).toEqual(['7.pdf']);
});

test('the signed contract is named after its id; the draft lies beside it and is never overwritten by it', async () => {
  const ctx = aContext();
  const pdf = await anyContractPdf();
  await saveDraftPdf(ctx, 7, pdf);
  const signed = Buffer.concat([pdf, Buffer.from('% signed\n%%EOF\n')]);
  await saveSignedPdf(ctx, 7, pieces(signed, 1_000));
  expect(files(ctx).sort()).toEqual(['7.draft.pdf', '7.pdf']);
  const draftSha256 = sha256Of(pdf);
  expect(await findDraftPdf(ctx, { id: 7, draftSha256 })).toMatchObject({
    sha256: draftSha256,
    size: pdf.length,
  });
  expect(await findDraftPdf(ctx, { id: 7, draftSha256: sha256Of(signed) })).toBeUndefined();
});

test.each([0o000, 0o022, 0o077])('the mode is 0640 under the umask %o', async (umask) => {
  const ctx = aContext();
  const before = process.umask(umask);
  try {
    await saveSignedPdf(ctx, 7, pieces(await anyContractPdf(), 10_000));
    await saveDraftPdf(ctx, 7, await anyContractPdf());
  } finally {
    process.umask(before);
  }
  for (const path of [signedPdfPath(ctx, 7), draftPdfPath(ctx, 7)]) {
    expect(statSync(path).mode & 0o777).toBe(0o640);
  }
});

describe('what is no whole PDF', () => {
  const whole = Buffer.from(`%PDF-1.7\n${'x'.repeat(5_000)}\n%%EOF\n`);
  const spoiled: [string, () => AsyncIterable<Uint8Array>, string][] = [
    ['empty', () => pieces(Buffer.alloc(0), 1), 'the document is empty'],
    ['a web page', () => pieces(Buffer.from('<html>%%EOF</html>'), 4), 'the document is not a PDF'],
    ['shorter than its first mark', () => pieces(Buffer.from('%PD'), 1), 'the document is not a PDF'],
    ['cut short', () => pieces(whole.subarray(0, 2_000), 100), 'the document is cut short'],
    ['larger than 50 MB', () => tooLarge(), 'the document is larger than 50 MB'],
    ['broken off on the way', () => brokenOff(whole), 'connection lost'],
  ];

  async function* tooLarge(): AsyncGenerator<Uint8Array> {
    yield whole.subarray(0, 9);
    const block = new Uint8Array(1024 * 1024);
    for (let i = 0; i < 51; i += 1) yield block;
  }
  async function* brokenOff(pdf: Buffer): AsyncGenerator<Uint8Array> {
    yield pdf.subarray(0, 2_000);
    throw new Error('connection lost');
  }

  test.each(spoiled)(
    '%s: is not stored, and leaves nothing but the earlier file',
    async (_, pdf, message) => {
      const ctx = aContext();
      for (const there of [[], ['7.pdf']]) {
        expect((await rejection(saveSignedPdf(ctx, 7, pdf()))).message).toBe(message);
        expect(files(ctx)).toEqual(there);
        await saveSignedPdf(ctx, 7, pieces(whole, 1_000));
      }
      expect(readFileSync(signedPdfPath(ctx, 7)).equals(whole)).toBe(true);
    },
  );

  test.each([NULS, PROXY_WORDS])(
    'what stands behind its end does not matter, and is stored with it',
    async (tail) => {
      const ctx = aContext();
      const padded = Buffer.concat([whole, tail]);
      expect((await saveSignedPdf(ctx, 7, pieces(padded, 333))).size).toBe(padded.length);
      expect(readFileSync(signedPdfPath(ctx, 7)).equals(padded)).toBe(true);
    },
  );

  test('one that was changed after it was made must end once more: the signature would be missing', async () => {
    const ctx = aContext();
    const before = pdfOf([A4]);
    const signed = withNewPage(before, A4_ACROSS);
    for (let length = before.length + 10; length < signed.length - 5; length += 1) {
      const cut = rejection(saveSignedPdf(ctx, 7, pieces(signed.subarray(0, length), 19)));
      expect((await cut).message).toBe('the document is cut short');
    }
    expect((await saveSignedPdf(ctx, 7, pieces(signed, 19))).size).toBe(signed.length);
  });

  test('50 MB are not too much', async () => {
    const ctx = aContext();
    const end = Buffer.from('\n%%EOF\n');
    async function* large(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('%PDF-1.7\n');
      const block = new Uint8Array(1024 * 1024);
      for (let i = 0; i < 49; i += 1) yield block;
      yield new Uint8Array(1024 * 1024 - 9 - end.length);
      yield end;
    }
    expect((await saveSignedPdf(ctx, 7, large())).size).toBe(50 * 1024 * 1024);
  });
});

test('the same contract stored twice at once ends whole', async () => {
  const ctx = aContext();
  const pdf = await anyContractPdf();
  await Promise.all([1, 2, 3].map(() => saveSignedPdf(ctx, 7, pieces(pdf, 500))));
  expect(readFileSync(signedPdfPath(ctx, 7)).equals(pdf)).toBe(true);
  expect(files(ctx)).toEqual(['7.pdf']);
});

test('a directory that is gone gives the system’s error, not the provider’s', async () => {
  const ctx = { config: { dataDir: join(temporaryDirectory(), 'gone') } } as Context;
  const error = await rejection(saveSignedPdf(ctx, 7, pieces(await anyContractPdf(), 500)));
  expect(error).toMatchObject({ code: 'ENOENT' });
});

test('what a crash left half written is swept at the start, and only that; a command that lives goes on writing', async () => {
  const ctx = aContext();
  await saveDraftPdf(ctx, 7, await anyContractPdf());
  const lives = `9.pdf.${LIVING}.1.tmp`;
  for (const name of [`8.pdf.${DEAD}.1.tmp`, `7.draft.pdf.${DEAD}.2.tmp`, lives, 'notes.txt']) {
    writeFileSync(join(ctx.config.dataDir, 'contracts', name), 'half');
  }
  expect(await sweepTemporaryFiles(ctx.config.dataDir, ctx.holder)).toBe(2);
  expect(files(ctx).sort()).toEqual(['7.draft.pdf', lives, 'notes.txt']);
  expect(existsSync(signedPdfPath(ctx, 8))).toBe(false);
});
