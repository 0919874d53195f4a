/** A form with a file, which is handed on while it comes in: what is uploaded at once need not fit into memory. */
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalid } from '../../core/errors.js';
import { bodyWithin } from './body.js';
import { HttpError } from './errors.js';
import type { Call } from '../parts.js';

export const MULTIPART = 'multipart/form-data';
/** Room for boundaries, headers and fields that nobody reads. */
const FORM_BYTES_MAX = 64 * 1024;
const LIMITS = { fields: 20, fieldSize: FORM_BYTES_MAX, headerPairs: 20 };

interface Taking<T> {
  /** Gets the file as it comes in. */
  take: (file: Readable) => Promise<T>;
  /** For what was taken from a form that turned out to be wrong. */
  drop: (taken: T) => Promise<void>;
}

/** What became of the form's only file, `file`; undefined for a form without files. Throws 413, and 422 for any other form. */
export async function readFormFile<T>(
  c: Call,
  bytesMax: number,
  { take, drop }: Taking<T>,
): Promise<T | undefined> {
  // Whoever reads it is told of its errors; nobody may be reading.
  const passed = new PassThrough().on('error', () => undefined);
  let taken: Promise<T> | undefined;
  let isWrong = false;
  try {
    const form = parserOf(c);
    form.on('field', (name) => void (isWrong ||= name === 'file'));
    form.on('file', (name, file) => {
      file.on('error', (error) => passed.destroy(error));
      isWrong ||= name !== 'file' || taken !== undefined;
      if (isWrong) return void file.resume();
      taken = take(file.pipe(passed));
      // The form ends only when its files have been read.
      taken.catch(() => file.unpipe(passed).resume());
    });
    await pipeline(bodyWithin(c, bytesMax + FORM_BYTES_MAX), form);
  } catch (error) {
    passed.destroy(new Error('the form was cut short', { cause: error }));
    await taken?.then(drop, () => undefined);
    throw error instanceof HttpError ? error : noFile();
  }
  const whole = await taken;
  if (!isWrong) return whole;
  if (whole !== undefined) await drop(whole);
  throw noFile();
}

function parserOf(c: Call): BusboyInstance {
  return new Busboy({ headers: { 'content-type': c.req.header('Content-Type') ?? '' }, limits: LIMITS });
}

function noFile() {
  return invalid({ file: 'This value should be a PDF file.' });
}
