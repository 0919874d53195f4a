/** A disk that a test can fill. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/app.js';

/** An empty file system of a few megabytes that a test can fill; only root can have one. */
export function smallDisk(parent = temporaryDirectory()): Disk {
  const directory = mkdtempSync(join(parent, 'disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]));
  return diskOn(directory);
}

/** The disk is seen where `directory` was. */
export function mountOver(directory: string, disk: Disk): void {
  execFileSync('mount', ['--bind', disk.directory, directory]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]));
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
