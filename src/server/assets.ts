/**
 * Files that pages load, served by the daemon itself. Each is named in the code, so no caller's path reaches the file
 * system. The address holds a digest of the content, so browsers can cache it forever.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { chooseCoding } from './media-types.js';
import type { Call } from './parts.js';

const require = createRequire(import.meta.url);

export interface Asset {
  type: string;
  /** Read and compressed once, on first use. */
  load: () => Promise<LoadedAsset>;
}

interface LoadedAsset {
  bytes: Buffer<ArrayBuffer>;
  gzipped: Buffer<ArrayBuffer>;
  digest: string;
}

/** A file that `npm run build` has copied from a package, by its path there. */
export function packageAsset(path: string, type: string): Asset {
  return { type, load: once(async () => prepare(await readFile(require.resolve(`#assets/${path}`)))) };
}

export function textAsset(text: string, type: string): Asset {
  return { type, load: once(() => prepare(Buffer.from(text))) };
}

async function prepare(bytes: Buffer<ArrayBuffer>): Promise<LoadedAsset> {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 20);
  return { bytes, gzipped: await promisify(gzip)(bytes), digest };
}

/** Failures are not cached. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** The address for use in a page. */
export async function assetUrl(path: string, asset: Asset): Promise<string> {
  return `${path}?v=${(await asset.load()).digest}`;
}

export async function sendAsset(c: Call, { type, load }: Asset): Promise<Response> {
  const { bytes, gzipped, digest } = await load();
  const etag = `"${digest}"`;
  const isCurrent = c.req.query('v') === digest;
  c.header('ETag', etag);
  c.header('Vary', 'Accept-Encoding', { append: true });
  c.header('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (c.req.header('If-None-Match')?.includes(etag)) return c.body(null, 304);
  c.header('Content-Type', type);
  if (!chooseCoding(c.req.header('Accept-Encoding'), ['gzip'])) return c.body(bytes);
  c.header('Content-Encoding', 'gzip');
  return c.body(gzipped);
}
