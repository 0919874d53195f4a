/** The programs as they are shipped (`npm test` builds them first); whatever a test starts is gone when it ends. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished, type TestContext } from 'vitest';
import { Program, startProgram as start, type ProgramOptions } from '../../demo/program.js';

export { Program, type Ended } from '../../demo/program.js';

export type ProgramName = 'esignd' | 'esignctl' | 'esign-sandbox' | 'esign-demo';

/** Starts a program with no ESIGN_… variable but those given. */
export function startProgram(t: TestContext, name: ProgramName, options: ProgramOptions = {}): Program {
  const program = start(fileURLToPath(new URL(`../../dist/bin/${name}.js`, import.meta.url)), options);
  t.onTestFinished(async () => void (await program.killHard()));
  return program;
}

/** Starts any command, such as a shell around a program. Its environment is PATH and `env`; its stdin stays open. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Program {
  const path = process.env['PATH'] ?? '';
  const program = new Program(command, spawn(command, args, { env: { PATH: path, ...env } }));
  onTestFinished(async () => void (await program.killHard()));
  return program;
}
