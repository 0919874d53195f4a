/** Compresses pages and the files that they load, as the caller prefers. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding } from './media-types.js';
import type { Call } from '../parts.js';

const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** How the body of the answer is sent; undefined: as it is. */
export function agreedCoding(c: Call): Coding | undefined {
  c.header('Vary', 'Accept-Encoding', { append: true });
  return chooseCoding(c.req.header('Accept-Encoding'), CODINGS);
}

const EFFORTS = { fast: { br: 4, gzip: 5 }, best: { br: 9, gzip: 9 } };

export function compressed(
  bytes: Buffer | string,
  coding: Coding,
  effort: keyof typeof EFFORTS,
): Promise<Buffer<ArrayBuffer>> {
  const level = EFFORTS[effort][coding];
  return coding === 'br'
    ? promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : promisify(gzip)(bytes, { level });
}
