/** The simulator sees: faults that are planted into the built service are found (docs/simulation.md). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAN_PLANT } from '../../simulation/planted/fault.js';

const DIST = join(import.meta.dirname, '../../dist');

/** What seeds show with a planted fault. */
function simulate(fault: string, ...options: string[]): string {
  const plant = join(DIST, 'simulation/planted/plant.js');
  const world = ['--days', '2', '--requests', '4'];
  const { stdout } = spawnSync(
    process.execPath,
    ['--import', plant, join(DIST, 'simulation/main.js'), ...world, ...options],
    { encoding: 'utf8', env: { ...process.env, PLANTED_FAULT: fault } },
  );
  return stdout;
}

const BROKEN = /^BROKEN at step \d+: (.*)/m;

// An older Node cannot change what it loads.
test.skipIf(!CAN_PLANT).for([
  ['each mail is in the language of the settings', 'is not in'],
  ['the last day to sign is that of UTC', 'can be signed until'],
])('the oracle finds that %s', ([fault = '', words = '']) => {
  expect(BROKEN.exec(simulate(fault, '--seeds', '2', '--no-shrink'))?.[1]).toContain(words);
});

test.skipIf(!CAN_PLANT)(
  'a story that fails is shrunk; the command that is printed plays it again, and --until stops before it',
  () => {
    const fault = '"paid" is answered before it is on disk';
    const [whole = '', shrunk = ''] = simulate(fault, '--seed', '1').split('\nShrunk to ');
    expect(BROKEN.exec(whole)?.[1]).toContain('was answered 200');
    const [, kept, all] = /^(\d+) of (\d+) stories and troubles/.exec(shrunk) ?? [];
    expect(Number(kept)).toBeLessThan(Number(all) / 4);
    const again = /^Again: npm run simulate -- (.*)/m.exec(shrunk)?.[1]?.split(' ') ?? [];
    expect(BROKEN.exec(simulate(fault, ...again, '--no-shrink'))?.[0]).toBe(BROKEN.exec(shrunk)?.[0]);
    const until = /^Stop before it: (.*)/m.exec(shrunk)?.[1]?.split(' ') ?? [];
    expect(simulate(fault, ...again, ...until)).not.toContain('BROKEN');
  },
);
