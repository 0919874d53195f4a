/** The soak in its short form: eight seconds of load with faults and random ends, then everything is compared. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { finished } from './finished.js';

const SOAK = fileURLToPath(new URL('../../dist/bench/soak.js', import.meta.url));
const OPTIONS = ['--minutes', String(8 / 60), '--rate', '10'];

test(
  'under load, with faults of every kind and the daemon killed again and again, nothing is lost, doubled or left open',
  { timeout: 240_000 },
  async () => {
    const { code, said } = await finished(SOAK, OPTIONS);

    expect([code, said]).toEqual([0, expect.stringContaining('soak passed')]);
    expect(Number(/kill -9 +(\d+)/.exec(said)?.[1])).toBeGreaterThan(0);
    expect(Number(/faults that struck +(\d+)/.exec(said)?.[1])).toBeGreaterThan(0);
    expect(Number(/COMPLETE +(\d+)/.exec(said)?.[1])).toBeGreaterThan(0);
  },
);
