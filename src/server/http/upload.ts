/** Forms with a file. A PDF is stored while it comes in: what is uploaded at once need not fit into memory. */
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Context } from '../../core/context.js';
import { receiveSuppliedPdf, removeSupplied, type PdfFile } from '../../core/contracts/contract-files.js';
import { PDF_BYTES_MAX } from '../../core/contracts/whole-pdf.js';
import { BLANK, invalid } from '../../core/errors.js';
import { bodyWithin, readBody } from './body.js';
import { HttpError } from './errors.js';
import type { Call } from '../parts.js';

export const MULTIPART = 'multipart/form-data';
/** Room for boundaries, headers and fields. */
const FORM_BYTES_MAX = 64 * 1024;
const LIMITS = { fields: 20, fieldSize: FORM_BYTES_MAX, headerPairs: 20 };

/**
 * Fields, and the form's only file, `file`: a PDF, kept until `removeSupplied`. Throws 413, and 422 for any other form. `isBrowsers`: an
 * empty file without a name is none.
 */
export async function readPdfForm(
  c: Call,
  ctx: Context,
  { isBrowsers = false } = {},
): Promise<{ fields: URLSearchParams; pdf: PdfFile | undefined }> {
  const fields = new URLSearchParams();
  // Whoever reads it is told of its errors; nobody may be reading.
  const passed = new PassThrough().on('error', () => undefined);
  let taken: Promise<PdfFile | undefined> | undefined;
  let isWrong = false;
  try {
    const form = parserOf(c);
    form.on('field', (name, value) => {
      isWrong ||= name === 'file';
      fields.append(name, value);
    });
    form.on('file', (name, file, filename) => {
      file.on('error', (error) => passed.destroy(error));
      isWrong ||= name !== 'file' || taken !== undefined;
      if (isWrong) return void file.resume();
      taken = receiveSuppliedPdf(ctx, file.pipe(passed)).catch((error: unknown) => {
        // A browser sends such a part for a field without a file.
        if (isBrowsers && !filename && file.bytesRead === 0 && file.readableEnded) return undefined;
        throw error;
      });
      // The form ends only when its files have been read.
      taken.catch(() => file.unpipe(passed).resume());
    });
    await pipeline(bodyWithin(c, PDF_BYTES_MAX + FORM_BYTES_MAX), form);
  } catch (error) {
    passed.destroy(new Error('the form was cut short', { cause: error }));
    await taken?.then(drop, () => undefined);
    throw error instanceof HttpError ? error : noFile();
  }
  const pdf = await taken;
  if (!isWrong) return { fields, pdf };
  await drop(pdf);
  throw noFile();
}

/** Fields, and the file of a form in base64 as the field `file`: small enough to go along with the pages of its form. */
export async function readFileForm(c: Call, bytesMax: number): Promise<URLSearchParams> {
  // A file that has been sent before comes as a field, in base64.
  const bytes = await readBody(c, Math.ceil((bytesMax * 4) / 3) + FORM_BYTES_MAX);
  const headers = { 'Content-Type': c.req.header('Content-Type') ?? '' };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => {
    throw invalid({ file: BLANK });
  });
  const fields = new URLSearchParams();
  for (const [name, value] of form)
    fields.append(
      name,
      typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64'),
    );
  return fields;
}

async function drop(pdf: PdfFile | undefined): Promise<void> {
  if (pdf) await removeSupplied(pdf);
}

function parserOf(c: Call): BusboyInstance {
  return new Busboy({ headers: { 'content-type': c.req.header('Content-Type') ?? '' }, limits: LIMITS });
}

function noFile() {
  return invalid({ file: 'This value should be a PDF file.' });
}
