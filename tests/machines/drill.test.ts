/** The drill in small: a machine under load is lost with its disk; another takes over from restic, and everything is compared. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { finished } from './finished.js';

const DRILL = fileURLToPath(new URL('../../dist/bench/drill.js', import.meta.url));
const hasRestic = spawnSync('restic', ['version']).status === 0;

test.skipIf(!hasRestic)(
  `every request stands where the providers say, and every loss is named${hasRestic ? '' : ' (not here: no restic)'}`,
  { timeout: 240_000 },
  async () => {
    const options = ['--runs', '1', '--every', '2', '--rate', '3'];
    const { code, said } = await finished(DRILL, options);

    // On failure, the closing lines of the test run show the first thing that is wrong.
    expect(code === 0 ? 'nothing' : (/WRONG: .*|.*Error: .*/.exec(said)?.[0] ?? said)).toBe('nothing');
  },
);
