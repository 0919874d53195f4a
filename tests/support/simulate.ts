/** The simulator as it is built (`npm test` builds it first), in small worlds: many seeds find more than long stories. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../dist/simulation/main.js');

export function simulate(...options: string[]): { status: number | null; stdout: string; digests: string[] } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, '--days', '1', ...options], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { status, stdout, digests: [...stdout.matchAll(/digest (\w+)/g)].map(([, digest = '']) => digest) };
}
