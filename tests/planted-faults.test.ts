/** The simulator sees: faults that are planted into the built service are found (docs/simulation.md). */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAN_PLANT, plantIn } from '../simulation/planted/fault.js';
import { PLANTED_FAULTS } from '../simulation/planted/faults.js';

/** As it is built: `npm test` builds it first. */
const DIST = join(import.meta.dirname, '../dist');
const isBuilt = existsSync(join(DIST, 'simulation/main.js'));

test.skipIf(!isBuilt)('every fault can be planted: the service has the words that it changes', () => {
  for (const { edits } of PLANTED_FAULTS)
    for (const edit of edits) {
      const source = readFileSync(join(DIST, 'src', edit.file), 'utf8');
      expect(plantIn(source, [edit])).not.toBe(source);
    }
});

test.skipIf(!isBuilt || !CAN_PLANT).for([
  ["the mail holds another contract's PDF", 'an attachment for'],
  ['"signed" is answered 200 before it is on disk', 'was answered 200'],
  ['the last day to sign is that of UTC', 'can be signed until'],
])('the oracle finds that %s', ([fault = '', words = '']) => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--import',
      join(DIST, 'simulation/planted/plant.js'),
      join(DIST, 'simulation/main.js'),
      '--seeds',
      '2',
      '--days',
      '2',
      '--requests',
      '4',
    ],
    { encoding: 'utf8', env: { ...process.env, PLANTED_FAULT: fault } },
  );
  expect(/^BROKEN at step \d+: (.*)/m.exec(stdout)?.[1]).toContain(words);
});
