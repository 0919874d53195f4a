/**
 * Remembers files whose digest was verified, so that unchanged ones need not be read again. The inode's change time
 * reveals changes even when the other times were set back.
 */
import { type BigIntStats, closeSync, openSync, readSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** A change within one tick of the file system's clock leaves no trace. */
const SETTLED_AFTER_MS = 2_000;
const KNOWN_MAX = 10_000;

export class ProvenFiles {
  readonly #known = new Map<number, string>();
  readonly #fixing = new Map<number, Promise<void>>();

  /** True when the file had this digest and has not changed since. */
  isProven(contractId: number, seen: BigIntStats, sha256: string): boolean {
    return this.#known.get(contractId) === entry(seen, sha256);
  }

  /** `seen` was taken before reading. */
  remember(contractId: number, seen: BigIntStats, sha256: string): void {
    if (Date.now() - Number(seen.ctimeMs) < SETTLED_AFTER_MS) return;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(contractId, entry(seen, sha256));
  }

  /** Concurrent callers share one repair. */
  fixOnce(contractId: number, fix: () => Promise<void>): Promise<void> {
    const fixing = this.#fixing.get(contractId) ?? fix().finally(() => this.#fixing.delete(contractId));
    this.#fixing.set(contractId, fixing);
    return fixing;
  }
}

function entry({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, sha256: string): string {
  return [dev, ino, size, mtimeNs, ctimeNs, sha256].join();
}

// The SHA-256 of a file, block by block: a PDF may have 50 MB, and many are read at once.

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
