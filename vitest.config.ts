import { defineConfig } from 'vitest/config';
import { onNewNode } from './bin/launch.cjs';
import { PATIENCE } from './tests/support/patience.js';
import { temporaryFiles } from './tests/support/temporary-files.js';
import WaitingFirst from './tests/support/waiting-first.js';

// `npx vitest` starts on whatever Node there is.
await onNewNode(process.argv[1] ?? '');

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // They build packages and lose machines (npm run test:machines), boot them (test:package) and take pictures (pictures).
    exclude: ['tests/machines/**', 'tests/package/**', 'tests/pictures/**'],
    // No time decides a test: these end what hangs, on a machine however slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: PATIENCE },
    // What their comments name: such a test gets a second go, and the closing lines name it.
    tags: [{ name: 'programs', description: 'Starts real programs or a browser.', retry: 1 }],
    // Most of the long files wait for processes and their timers: more of them than cores at once costs nothing.
    maxWorkers: 4,
    // No module does work when it is imported, so files may share them: loading them anew each time cost more than many tests.
    isolate: false,
    // Room for what a test throws away: collecting less often saves a twentieth of the work.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    env: { TMPDIR: temporaryFiles() },
    sequence: { sequencer: WaitingFirst },
    reporters: ['default', './tests/support/closing-line.ts'],
  },
});
