/**
 * Files that pages load, served by the daemon itself. Each is named in the code, so no caller's path reaches the file
 * system. The address holds a digest of the content, so browsers can cache it forever.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getMimeType } from 'hono/utils/mime';
import { HttpError } from './errors.js';
import type { Call } from '../parts.js';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding } from './media-types.js';

const require = createRequire(import.meta.url);

interface Asset {
  bytes: Buffer<ArrayBuffer>;
  digest: string;
  packed: Partial<Record<Coding, Promise<Buffer<ArrayBuffer>>>>;
}

/** `files`: where `npm run build` has put each, below `dist/assets`. Each is read and compressed once, on first use. */
export function assetFolder<Name extends string>(path: string, files: Readonly<Record<Name, string>>) {
  const loaded: Partial<Record<Name, Asset>> = {};

  const load = (name: Name) => (loaded[name] ??= read(files[name]));

  return {
    /** The address for use in a page. */
    url: (name: Name) => `${path}/${name}?v=${load(name).digest}`,

    send: async (c: Call, name: string): Promise<Response> => {
      if (!isIn(files, name)) throw new HttpError(404, 'Not Found');
      const asset = load(name);
      const etag = `"${asset.digest}"`;
      // A page from before an upgrade may ask for old files: it gets the new ones, and browsers ask again.
      const isCurrent = c.req.query('v') === asset.digest;
      c.header('ETag', etag);
      c.header('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache');
      const coding = agreedCoding(c);
      if (c.req.header('If-None-Match')?.includes(etag)) return c.body(null, 304);
      c.header('Content-Type', getMimeType(name) ?? 'application/octet-stream');
      if (!coding) return c.body(asset.bytes);
      c.header('Content-Encoding', coding);
      return c.body(await (asset.packed[coding] ??= compressed(asset.bytes, coding, 'best')));
    },
  };
}

function read(file: string): Asset {
  const bytes = readFileSync(require.resolve(`#assets/${file}`));
  return { bytes, digest: hash('sha256', bytes, 'base64url').slice(0, 20), packed: {} };
}

function isIn<Name extends string>(files: Readonly<Record<Name, string>>, name: string): name is Name {
  return Object.hasOwn(files, name);
}

// Compresses pages and the files that they load, as the caller prefers.

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

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
