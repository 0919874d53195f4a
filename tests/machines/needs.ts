/** What this machine has, of the programs that npm does not bring: a test that needs another is skipped. */
import { spawnSync } from 'node:child_process';

export const lacks = (...programs: readonly string[]): boolean =>
  programs.some((program) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status !== 0);

export const isRoot = process.getuid?.() === 0;
