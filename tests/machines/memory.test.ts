/** Twelve PDFs of 49 MB at once, through everything that touches a PDF; `npm run bench -- memory` takes 32. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { finished } from './finished.js';

const BENCH = fileURLToPath(new URL('../../dist/bench/main.js', import.meta.url));

test.runIf(process.platform === 'linux')(
  'many PDFs of the greatest size at once, supplied, signed, mailed, downloaded and exported, take less than 600 MB',
  { timeout: 1_800_000 },
  async () => {
    const { code, said } = await finished(BENCH, ['memory'], { BENCH_PDFS: '12' });

    expect([code, said]).toEqual([0, expect.stringContaining('12 PDFs of 49 MB, exported')]);
  },
);
