/** The tests of the package in a container of its own: `npm run test:package`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/package/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Each file boots a machine.
    maxWorkers: 1,
    reporters: ['verbose', './tests/support/closing-line.ts'],
  },
});
