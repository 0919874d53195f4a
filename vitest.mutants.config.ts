import { defineConfig } from 'vitest/config';
import { createPoolWorker, discard } from './ops/mutants/kept-worker.js';
import { PATIENCE } from './tests/support/patience.js';
import { temporaryFiles } from './tests/support/temporary-files.js';

export default defineConfig({
  plugins: [
    {
      name: 'kept-worker',
      configureVitest({ project, vitest }) {
        vitest.onClose(discard);
        Object.assign(project.config, { pool: 'kept', poolRunner: { name: 'kept', createPoolWorker } });
      },
    },
  ],
  test: {
    include: ['tests/**/*.test.ts'],
    tags: [{ name: 'programs' }],
    setupFiles: ['./ops/mutants/in-worker.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: PATIENCE },
    reporters: [{}],
    isolate: false,
    env: { TMPDIR: temporaryFiles() },
  },
});
