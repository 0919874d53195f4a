/**
 * A program as a child process: what it says is kept, its end is noticed, and it never outlives us. Demo, soak and tests
 * start programs by this.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until, type Wait } from './patience.js';

export interface ProgramOptions {
  args?: readonly string[];
  /** On top of what is inherited, of which no ESIGN_… variable comes along. */
  env?: Record<string, string>;
  cwd?: string | undefined;
  input?: string | undefined;
  /** Gets all it says; memory then keeps only the end. */
  logFile?: string;
  /** Kills it. */
  signal?: AbortSignal;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const CHARACTERS_KEPT = 20_000;
const LINES_SHOWN = 40;

export class Program {
  readonly name: string;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  /** Both, in order of arrival. */
  #said = '';
  #end: Ended | undefined;
  readonly child: ChildProcess;

  constructor(name: string, child: ChildProcess, logFile?: string) {
    this.name = name;
    this.child = child;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        if (logFile) appendFileSync(logFile, text);
        const kept = (before: string) => (logFile ? (before + text).slice(-CHARACTERS_KEPT) : before + text);
        this[stream] = kept(this[stream]);
        this.#said = kept(this.#said);
      });
    }
    child.once('error', (error) => (this.stderr += error.message));
    if (running.size === 0) process.once('exit', killAll);
    running.add(child);
    this.ended = new Promise((resolve) => {
      child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
        running.delete(child);
        if (running.size === 0) process.off('exit', killAll);
        const { stdout, stderr } = this;
        this.#end = { code, signal, stdout, stderr };
        resolve(this.#end);
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Waits until it has printed, anywhere, what matches. Rejects when it ends before, or the time is over. */
  said(pattern: RegExp, wait: Wait = { timeoutMs: 60_000 }): Promise<RegExpExecArray> {
    const look = () => {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr) ?? undefined;
      if (!found && this.#end)
        throw new Error(`${this.name} ${howItEnded(this.#end)}`, { cause: this.#said });
      return found;
    };
    return until(`the line ${String(pattern)} of ${this.name}`, look, { everyMs: 20, ...wait });
  }

  lastLines(): readonly string[] {
    return this.#said.trimEnd().split('\n').slice(-LINES_SHOWN);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.kill(signal);
    return this.ended;
  }

  /** As a power cut does it: nothing of the program runs any more. */
  killHard(): Promise<Ended> {
    return this.stop('SIGKILL');
  }
}

const running = new Set<ChildProcess>();

/** The last resort, should we break down ourselves. */
function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function startProgram(
  file: string,
  { args = [], env, cwd, input, logFile, signal }: ProgramOptions = {},
): Program {
  // Without the `--`, Node takes an --env-file for an option of its own.
  const child = spawn(process.execPath, ['--', file, ...args], {
    cwd,
    env: { ...inherited(), ...env },
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  // A program that ends without reading says so by its exit code.
  child.stdin.on('error', () => undefined).end(input);
  return new Program(basename(file, '.js'), child, logFile);
}

/** Runs a program to its end; resolves with what it printed. Rejects with what it complained of when the exit code is another one. */
export async function runProgram(file: string, options: ProgramOptions, codes = [0]): Promise<string> {
  const program = startProgram(file, options);
  const end = await program.ended;
  if (end.code !== null && codes.includes(end.code)) return end.stdout.trim();
  throw new Error(`${program.name}: ${end.stderr.trim() || howItEnded(end)}`);
}

export function howItEnded({ code, signal }: Ended): string {
  return `ended with ${signal ?? `exit code ${code}`}`;
}

/** The built program of that name: dist/bin is two levels above the built form of this file. */
export function programFile(name: string): string {
  return fileURLToPath(new URL(`../bin/${name}.js`, import.meta.url));
}

/** Settings of another installation, or of the test runner, must reach no program. */
export function inherited(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => name.startsWith('ESIGN_') || name.startsWith('VITEST');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}
