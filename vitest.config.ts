import { defineConfig } from 'vitest/config';
import { onNewNode } from './bin/launch.cjs';
import { PATIENCE } from './tests/support/patience.js';
import { temporaryFiles } from './tests/support/temporary-files.js';

// `npx vitest` starts on whatever Node there is.
await onNewNode(process.argv[1] ?? '');

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // They kill programs, build packages and lose machines (npm run test:machines), boot them (test:package) and take pictures (pictures).
    exclude: ['tests/machines/**', 'tests/package/**', 'tests/pictures/**'],
    // No time decides a test: these end what hangs, on a machine however slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: PATIENCE },
    // Some wait for programs and timers: one worker more than the build server has cores fills their waits.
    maxWorkers: 3,
    // No module does work when it is imported, so files may share them: loading them anew each time cost more than many tests.
    isolate: false,
    // Room for what a test throws away: collecting less often saves a twentieth of the work.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    env: { TMPDIR: temporaryFiles() },
    reporters: ['default', './tests/support/closing-line.ts'],
  },
});
