/**
 * The files that pages load: Bootstrap, our own style and script, an icon. Only these names exist.
 * Their address holds a digest of the content, so browsers can cache them forever.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Hono } from 'hono';
import { HttpError } from '../../errors.js';
import { chooseCoding } from '../../media-types.js';
import type { Env } from '../../parts.js';
import { SCRIPT } from './script.js';
import { DARK, STYLE } from './style.js';

export type AssetName = 'bootstrap.css' | 'admin.css' | 'admin.js' | 'icon.svg';

interface Asset {
  type: string;
  bytes: Buffer;
}

const SEAL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b5c56"/>
<path d="M4 11.5c2-4 4.5-7 7-7-.5 3-3 5.5-6 6M4 12h8" fill="none" stroke="#fff" stroke-width="1.3" stroke-linecap="round"/></svg>`;

let loaded: { assets: Record<AssetName, Asset>; version: string } | undefined;

function load() {
  loaded ??= read();
  return loaded;
}

function read() {
  const sheet = createRequire(import.meta.url).resolve('#assets/bootstrap/dist/css/bootstrap.min.css');
  const bootstrap = readFileSync(sheet, 'utf8').replace(/\/\*# sourceMappingURL=.*?\*\//, '');
  const assets: Record<AssetName, Asset> = {
    'bootstrap.css': { type: 'text/css; charset=utf-8', bytes: Buffer.from(bootstrap) },
    'admin.css': { type: 'text/css; charset=utf-8', bytes: Buffer.from(STYLE + afterTheSystem(bootstrap)) },
    'admin.js': { type: 'text/javascript; charset=utf-8', bytes: Buffer.from(SCRIPT) },
    'icon.svg': { type: 'image/svg+xml', bytes: Buffer.from(SEAL) },
  };
  const digest = createHash('sha256');
  for (const { bytes } of Object.values(assets)) digest.update(bytes);
  return { assets, version: digest.digest('base64url').slice(0, 12) };
}

/** Bootstrap's dark colours again, for a dark system without scripts. */
function afterTheSystem(bootstrap: string): string {
  const rules = bootstrap.match(/(?<=[};/])\[data-bs-theme=dark\][^{}]*\{[^}]*\}/g) ?? [];
  const same = rules
    .map((rule) => rule.replaceAll('[data-bs-theme=dark]', '[data-bs-theme=auto]'))
    .join('\n');
  return `@media (prefers-color-scheme: dark) {\n[data-bs-theme="auto"] { ${DARK} }\n${same}\n}\n`;
}

export function assetPath(name: AssetName): string {
  return `/admin/assets/${load().version}/${name}`;
}

const packed = new Map<string, Promise<Buffer>>();

/** Compressed with the best level on first use, then cached. */
function pack(name: AssetName, { bytes }: Asset, coding: 'br' | 'gzip'): Promise<Buffer> {
  const key = `${coding} ${name}`;
  const known = packed.get(key);
  if (known) return known;
  const made = coding === 'br' ? promisify(brotliCompress)(bytes) : promisify(gzip)(bytes, { level: 9 });
  packed.set(key, made);
  return made;
}

export function assetRoutes() {
  return new Hono<Env>().get('/admin/assets/:version/:name', async (c) => {
    const name = c.req.param('name') as AssetName;
    const { assets, version } = load();
    if (!Object.hasOwn(assets, name)) throw new HttpError(404, 'Not Found');
    const asset = assets[name];
    const coding = chooseCoding(c.req.header('Accept-Encoding'), ['br', 'gzip']);
    const body = coding ? await pack(name, asset, coding) : asset.bytes;
    // A page from before an upgrade may ask for old files: it gets the new ones, uncached.
    const isCurrent = c.req.param('version') === version;
    c.header('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store');
    c.header('Content-Type', asset.type);
    c.header('Vary', 'Accept-Encoding');
    if (coding) c.header('Content-Encoding', coding);
    return c.body(new Uint8Array(body));
  });
}
