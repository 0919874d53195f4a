/** A file with these bytes, open; it is closed and removed when the test ends. */
import { createHash, randomUUID } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenPdf } from '../../src/core/contracts/contract-files.js';
import { temporaryFiles } from './temporary-files.js';

export async function openFile(bytes: Buffer): Promise<OpenPdf> {
  const path = join(temporaryFiles(), `esign-test-${randomUUID()}`);
  await writeFile(path, bytes);
  const file = await open(path, 'r');
  onTestFinished(async () => {
    await file.close();
    await rm(path);
  });
  return { file, path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
