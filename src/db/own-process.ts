/**
 * Runs a script in a process of its own: the daemon keeps answering, and a process, unlike a thread, can be killed at once and
 * takes its memory with it.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

export interface OwnWork {
  /** Knows `library` and `input`, and sets `output`. */
  script: string;
  /** The package that it needs. */
  library: 'better-sqlite3' | 'unpdf';
  input?: object;
  /** Of Node. */
  options?: readonly string[];
  signal?: AbortSignal | undefined;
  /** At its end the process is killed. */
  msMax?: number | undefined;
}

/** Rejects with the script's error and its code, or, when the process did not live to its end, with a KilledError. */
export async function inOwnProcess<T>(work: OwnWork): Promise<T> {
  const { script, library, input = {}, options = [], signal, msMax = 0 } = work;
  const path = createRequire(import.meta.url).resolve(library);
  const running = promisify(execFile)(
    process.execPath,
    [
      ...options,
      '--input-type=commonjs',
      '--eval',
      program(script),
      '--',
      JSON.stringify({ library: path, input }),
    ],
    // Node would look for a package.json in the current directory, which may not be readable.
    { cwd: '/', maxBuffer: Infinity, killSignal: 'SIGKILL', timeout: msMax, ...(signal && { signal }) },
  );
  const { stdout } = await running.catch((error: unknown) => {
    throw wasKilled(error) ? new KilledError() : error;
  });
  const { output, failure }: Message<T> = JSON.parse(stdout);
  if (failure) throw Object.assign(new Error(failure.message), failure);
  return output;
}

/** It took too long, or more memory than it was given. */
export class KilledError extends Error {
  override readonly name = 'KilledError';
  constructor() {
    super('the process was killed');
  }
}

/** And nobody here asked for it. */
function wasKilled(error: unknown): boolean {
  return error instanceof Error && error.name !== 'AbortError' && 'signal' in error && error.signal !== null;
}

interface Message<T> {
  output: T;
  failure?: { name: string; message: string; code?: string };
}

/**
 * With --eval instead of from a file, so that it is the same in the sources and the built program. Errors lose their class
 * between processes, so they are sent as text.
 */
function program(script: string): string {
  return `
  const { library: path, input } = JSON.parse(process.argv[1]);
  let output, failure;
  const work = async () => {
    const library = require(path);
    ${script}
  };
  work()
    .catch(({ name, message, code }) => {
      failure = { name, message, code };
    })
    .then(() => process.stdout.write(JSON.stringify({ output, failure })));`;
}
