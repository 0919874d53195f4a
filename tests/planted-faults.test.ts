/** The faults that are planted to prove that the simulator sees fit the service as it is built (docs/simulation.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantIn } from '../simulation/planted/fault.js';
import { PLANTED_FAULTS } from '../simulation/planted/faults.js';

/** As it is built: `npm test` builds it first. */
const DIST = join(import.meta.dirname, '../dist/src');

test.for(PLANTED_FAULTS)('"$name" can be planted: its module declares the rule', (fault) => {
  const source = readFileSync(join(DIST, `${fault.module}.js`), 'utf8');
  expect(plantIn(source, fault)).not.toBe(source);
});
