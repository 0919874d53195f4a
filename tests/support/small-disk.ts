/** A disk that a test can fill. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { temporaryDirectory } from './app.js';

const NO_MOUNT = 'a small file system cannot be mounted here: that needs root on Linux';

/** An empty file system of a few megabytes that a test can fill; where none can be had, the test is skipped. */
export function smallDisk(t: TestContext, parent = temporaryDirectory()): Disk {
  const directory = mkdtempSync(join(parent, 'disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    return t.skip(NO_MOUNT);
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]));
  return diskOn(directory);
}

interface Disk {
  directory: string;
  fill(): void;
  free(): void;
}

function diskOn(directory: string): Disk {
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill() {
      writeFileSync(ballast, '');
      for (const size of [256 * 1024, 4 * 1024]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(size));
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      }
    },
    free: () => rmSync(ballast),
  };
}
