/** The tests of the package in a container of its own: `npm run test:package`. */
import { defineConfig } from 'vitest/config';
import { onNewNode } from '../../bin/launch.cjs';

await onNewNode(process.argv[1] ?? '');

export default defineConfig({
  test: {
    include: ['tests/package/**/*.test.ts'],
    globalSetup: './tests/package/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Each file boots a machine.
    maxWorkers: 1,
    reporters: ['verbose', './tests/support/closing-line.ts'],
  },
});
