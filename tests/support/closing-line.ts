/**
 * Ends a test run with the one plain line `N passed, N failed, N skipped`, which scripts can read. Above it stands each test
 * that passed only at its second go, with what its first go failed of.
 */
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    _reason: TestRunEndReason,
  ): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const again: TestCase[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      const states = tests.map((test) => test.result().state);
      for (const state of states) if (state !== 'pending') count[state] += 1;
      again.push(...tests.filter((test) => test.diagnostic()?.flaky));
      // A file that cannot even be read counts as a failure of its own.
      if (module.state() === 'failed' && !states.includes('failed')) count.failed += 1;
    }
    const lines = again.map((test) => `${toldAgain(test)}\n`).join('');
    process.stdout.write(
      `\n${lines}${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
    );
  }
}

function toldAgain(test: TestCase): string {
  const [why] = test.result().errors ?? [];
  const [line = ''] = why?.message.split('\n') ?? [];
  return `passed at the second go: ${test.module.relativeModuleId} > ${test.fullName}: ${line}`;
}
