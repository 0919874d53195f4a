/** The programs as they are shipped (`npm test` builds them first); whatever a test starts is gone when it ends. */
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { startProgram as start, type Program, type ProgramOptions } from '../../src/demo/program.js';

export { Program, type Ended } from '../../src/demo/program.js';

export type ProgramName = 'esignd' | 'esignctl' | 'esign-sandbox' | 'esign-demo';

/** Starts a program with no ESIGN_… variable but those given. */
export function startProgram(t: TestContext, name: ProgramName, options: ProgramOptions = {}): Program {
  const program = start(fileURLToPath(new URL(`../../dist/bin/${name}.js`, import.meta.url)), options);
  t.onTestFinished(async () => void (await program.killHard()));
  return program;
}
