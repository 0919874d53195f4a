import { defineConfig } from 'vitest/config';
import WaitingFirst from './tests/support/waiting-first.js';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the long files wait for processes and their timers: more of them than cores at once costs nothing.
    maxWorkers: 4,
    // No module does work when it is imported, so files may share them: loading them anew each time cost more than many tests.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    reporters: ['default', './tests/support/closing-line.ts'],
  },
});
