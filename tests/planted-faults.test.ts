/** The faults that are planted to prove that the simulator sees fit the service as it is built (docs/simulation.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantIn } from '../simulation/planted/fault.js';
import { PLANTED_FAULTS } from '../simulation/planted/faults.js';
import { rowsIn } from '../simulation/planted/table.js';

/** As it is built: `npm test` builds it first. */
const DIST = join(import.meta.dirname, '../dist');

test('every fault can be planted: the service has the words that it changes', () => {
  for (const { edits } of PLANTED_FAULTS)
    for (const edit of edits) {
      const source = readFileSync(join(DIST, 'src', edit.file), 'utf8');
      expect(plantIn(source, [edit])).not.toBe(source);
    }
});

test('docs/simulation.md has a row for each planted fault', () => {
  const rows = rowsIn(readFileSync(join(DIST, '../docs/simulation.md'), 'utf8'));
  for (const { name } of PLANTED_FAULTS) expect([...rows.keys()]).toContain(name);
});
