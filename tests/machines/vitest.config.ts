/**
 * What takes whole machines: packages, copies, loads and losses, programs that are killed; and the tables of which `npm test` runs
 * a part, with every case (tests/support/breadth.ts). `npm run test:machines`; `npm test` leaves it out because it takes long.
 */
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';

export default defineConfig({
  test: {
    ...base.test,
    include: [
      'tests/machines/**/*.test.ts',
      'tests/core/{payment,signature}/decide.test.ts',
      'tests/server/admin/lists/wish.test.ts',
      'tests/server/api/bad-input.test.ts',
      'tests/core/contracts/{contract-pdf-letters,contract-pdf-foot}.test.ts',
    ],
    exclude: [],
    env: { ...base.test?.env, EVERY_CASE: '1' },
  },
});
