import { matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createPoolWorker, discard } from './kept-worker.js';
import { PARTS } from './parts.js';
import { PATIENCE } from '../../tests/support/patience.js';
import { temporaryFiles } from '../../tests/support/temporary-files.js';

/** The first test that fails ends a run, so those that a part names first, which are the quickest, run first. */
class InOrderOfPart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tests = PARTS[process.env['MUTANTS_PART'] ?? '']?.tests ?? [];
    const { root } = this.ctx.config;
    const rank = ({ moduleId }: TestSpecification) =>
      tests.findIndex((pattern) => matchesGlob(relative(root, moduleId), pattern));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

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
    setupFiles: ['./ops/mutants/in-worker.ts'],
    runner: './ops/mutants/runner.ts',
    // in-worker.ts ends what hangs.
    testTimeout: 0,
    hookTimeout: 0,
    expect: { poll: PATIENCE },
    reporters: [{}],
    isolate: false,
    sequence: { sequencer: InOrderOfPart },
    env: { TMPDIR: temporaryFiles() },
  },
});
