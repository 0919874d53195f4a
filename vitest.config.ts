import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the long files wait for processes and their timers: more of them than cores at once costs nothing.
    maxWorkers: 3,
    reporters: ['default', './tests/support/closing-line.ts'],
  },
});
