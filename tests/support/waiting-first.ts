/**
 * The order of the test files. Those that wait for programs of their own begin first: their waits
 * are filled by the others. Without this a fresh checkout, which knows no durations, would run them last, alone.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const WAITING = [
  /tests\/faults\/kill\.test/,
  /tests\/demo\.test/,
  /tests\/(simulation|faults\/provider)\.test/,
  /tests\/(process|faults)\//,
  // Long ones that compute: begun last, they would run alone.
  /tests\/(cli\/(explain|process|interruption)|core\/contract-pdf-letters)\.test/,
  /\.test/,
];

export default class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => WAITING.findIndex((pattern) => pattern.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
