/** Runs a Node program to its end. */
import { execFile } from 'node:child_process';

export interface RunOptions {
  env: NodeJS.ProcessEnv;
  input: string;
  signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** Resolves with what it printed; rejects with what it complained of. The input never stands among its arguments. */
export function runProgram(
  name: string,
  args: readonly string[],
  { env, input, signal }: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, signal, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      const why = error.killed ? `did not end within ${TIMEOUT_MS / 1000} s` : stderr.trim() || error.message;
      reject(new Error(`${name}: ${why}`, { cause: error }));
    });
    // One that has ended without reading says so by its exit code.
    child.stdin?.on('error', () => undefined).end(input);
  });
}
