/**
 * Runs a script in a process of its own: the daemon keeps answering, and a process, unlike a thread, can be killed at once and
 * takes its memory with it.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { statSync } from 'node:fs';
import { basename } from 'node:path';

export interface OwnWork {
  /** Knows `library` and `input`, and sets `output`. */
  script: string;
  /** The package that it needs. */
  library: 'better-sqlite3' | 'unpdf';
  input?: object;
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

// Which files a connection works on, by device and inode. It keeps what it has opened: when somebody moves or deletes a file, the
// path leads elsewhere, and what is written is never found again.

const SUFFIXES = ['', '-wal', '-shm'] as const;

/** Of the database, its log and the index of the log; empty for one that is not there. */
export type FileIds = readonly string[];

export function fileIds(database: string): FileIds {
  return SUFFIXES.map((suffix) => idOf(`${database}${suffix}`));
}

function idOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}

/** The name of the first file that is not the one that was opened. */
export function otherFile(database: string, opened: FileIds): string | undefined {
  const now = fileIds(database);
  const index = opened.findIndex((id, i) => id !== '' && id !== now[i]);
  return index < 0 ? undefined : `${basename(database)}${SUFFIXES[index]}`;
}
