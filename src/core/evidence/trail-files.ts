/** The files of an audit trail beside the signed PDF: complete or absent, like it. */
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../context.js';
import {
  orRemoved,
  PDF_MODE,
  sha256Of,
  temporaryName,
  UnfitFile,
  writeChecked,
} from '../contracts/contract-files.js';
import { paths } from '../installation/paths.js';
import { syncDirectory } from '../installation/sync-directory.js';

/** `audit-trail.pdf`, `audit-trail.json`, and one more JSON file for each further signer. */
function trailPath(ctx: Context, contractId: number, name: string): string {
  return join(paths.contracts(ctx.config.dataDir), `${contractId}.${name}`);
}

/** A file of an audit trail that is whole on disk, and not yet in its place. */
export interface TrailFile {
  name: string;
  sha256: string;
  temporary: string;
}

/** It has some kilobytes. */
const JSON_BYTES_MAX = 4 * 1024 * 1024;

/** Stores it as it arrives. Throws an UnfitFile for what is neither a PDF nor, where the name says so, JSON. */
export function receiveTrailFile(
  ctx: Context,
  contractId: number,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<TrailFile> {
  const temporary = temporaryName(ctx, trailPath(ctx, contractId, name));
  return orRemoved(temporary, async () => {
    const { sha256 } = name.endsWith('.pdf')
      ? await writeChecked(temporary, bytes)
      : await writeJson(temporary, bytes);
    return { name, sha256, temporary };
  });
}

async function writeJson(path: string, bytes: AsyncIterable<Uint8Array>): Promise<{ sha256: string }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > JSON_BYTES_MAX) throw new UnfitFile('is too large');
    chunks.push(chunk);
  }
  const json = Buffer.concat(chunks);
  try {
    JSON.parse(json.toString('utf8'));
  } catch {
    throw new UnfitFile('is no JSON');
  }
  await writeFile(path, json, { flag: 'wx', mode: PDF_MODE, flush: true });
  return { sha256: sha256Of(json) };
}

export async function placeTrailFile(
  ctx: Context,
  contractId: number,
  { name, temporary }: TrailFile,
): Promise<void> {
  const path = trailPath(ctx, contractId, name);
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Opens one that was not placed, and takes its name away: it is gone when it is closed. */
export async function openOnce({ temporary }: TrailFile): Promise<FileHandle> {
  const file = await open(temporary, 'r');
  await rm(temporary, { force: true });
  return file;
}

export async function dropTrailFiles(files: readonly TrailFile[]): Promise<void> {
  await Promise.all(files.map(({ temporary }) => rm(temporary, { force: true })));
}

export function openTrailFile(ctx: Context, contractId: number, name: string): Promise<FileHandle> {
  return open(trailPath(ctx, contractId, name), 'r');
}
