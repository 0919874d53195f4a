/** The simulator itself: the same seed is the same world, and fixed seeds hold every promise (docs/simulation.md). */
import { expect, test } from 'vitest';
import { simulate } from '../support/simulate.js';

const FOUR = ['--requests', '4'];

test('ten seeds, with restores, power cuts, renewed payments and a second firm, break no promise; a seed is the same world again', () => {
  const usual = simulate('--seed', '1', '--seeds', '8', ...FOUR);
  const restored = simulate('--seed', '4', '--seeds', '2', ...FOUR, '--often', 'restore,payment');
  const ten = usual.stdout + restored.stdout;
  expect(ten).not.toContain('BROKEN');
  expect([usual.status, restored.status]).toEqual([0, 0]);
  // If the stories have changed, choose other seeds.
  for (const word of [
    'restores',
    'power failures',
    'payments renewed',
    'payments given up',
    'second installation',
  ])
    expect(ten).toContain(` ${word} `);
  const digests = [...usual.digests, ...restored.digests];
  expect(new Set(digests).size).toBe(10);
  // Alone, and so with nothing before it in its process.
  const again = simulate('--seed', '7', ...FOUR);
  expect(again.digests).toEqual([digests[6]]);
  // However busy the machine is.
}, 1_200_000);
