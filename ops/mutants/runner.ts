/** Runs tests as vitest does, but lets in-worker.ts fail one that hangs; its clean-up then follows as ever. */
import { TestRunner } from 'vitest';

const worker = globalThis as { fail?: ((reason: Error) => void) | undefined };

export default class FailingHungTests extends TestRunner {
  async runTask(task: Parameters<typeof TestRunner.getTestFn>[0]): Promise<void> {
    const hung = new Promise<never>((_, reject) => (worker.fail = reject));
    try {
      await Promise.race([TestRunner.getTestFn(task)(), hung]);
    } finally {
      worker.fail = undefined;
    }
  }
}
