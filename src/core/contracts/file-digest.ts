/** The SHA-256 of a file, block by block: a PDF may have 50 MB, and many are read at once. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 256 * 1024;

export async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(block.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** For where nothing may be awaited. */
export function digestNow(path: string): string {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const size = readSync(file, block);
      if (size === 0) return hash.digest('hex');
      hash.update(block.subarray(0, size));
    }
  } finally {
    closeSync(file);
  }
}
