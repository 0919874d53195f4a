/** The package of what was built, made once for all files. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the .deb. */
    deb: string;
  }
}

const BUILD = fileURLToPath(new URL('../../dist/ops/deb/build.js', import.meta.url));

export default function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'esign-package-'));
  const options = [BUILD, '--out-dir', directory, '--compression', 'none'];
  project.provide('deb', execFileSync(process.execPath, options, { encoding: 'utf8' }).trim());
  return () => rmSync(directory, { recursive: true, force: true });
}
