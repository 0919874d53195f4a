/**
 * Files whose digest was compared, as they lay then: one that nobody has touched since need not be read again. The time
 * of the last change of a file's entry tells of a change also where somebody has set the other times back.
 */
import type { BigIntStats } from 'node:fs';

/** A change within the same tick of the file system's clock leaves no trace. */
const SETTLED_AFTER_MS = 2_000;
const KNOWN_MAX = 10_000;

export class ProvenFiles {
  readonly #known = new Map<number, string>();
  readonly #mending = new Map<number, Promise<void>>();

  /** True: this file was read, its digest was this one, and it has not been touched since. */
  isProven(contractId: number, seen: BigIntStats, sha256: string): boolean {
    return this.#known.get(contractId) === entry(seen, sha256);
  }

  /** `seen` before it was read. */
  remember(contractId: number, seen: BigIntStats, sha256: string): void {
    if (Date.now() - Number(seen.ctimeMs) < SETTLED_AFTER_MS) return;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(contractId, entry(seen, sha256));
  }

  /** However many ask at once, it is mended once. */
  mendOnce(contractId: number, mend: () => Promise<void>): Promise<void> {
    const mending = this.#mending.get(contractId) ?? mend().finally(() => this.#mending.delete(contractId));
    this.#mending.set(contractId, mending);
    return mending;
  }
}

function entry({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, sha256: string): string {
  return [dev, ino, size, mtimeNs, ctimeNs, sha256].join();
}
