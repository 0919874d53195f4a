/** The programs as they are shipped (`npm test` builds them first); whatever a test starts is gone when it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi, type TestContext } from 'vitest';

export type ProgramName = 'esignd' | 'esignctl' | 'esign-sandbox' | 'esign-demo';

export interface StartOptions {
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const PATIENCE_MS = 60_000;

/** One running program. */
export class Program {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until the program has printed, anywhere, what matches; fails with all it said when it ends before. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    const look = () => pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
    const isOver = () => look() !== null || this.hasEnded;
    await vi.waitUntil(isOver, { timeout: PATIENCE_MS, interval: 20 });
    const found = look();
    if (!found) throw new Error(`it ended without having said ${pattern}:\n${this.stdout}\n${this.stderr}`);
    return found;
  }

  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** As a power cut does it: nothing of the program runs any more. */
  killHard(): Promise<Ended> {
    return this.stop('SIGKILL');
  }
}

/** Starts a program with no ESIGN_… variable but those given. */
export function startProgram(
  t: TestContext,
  name: ProgramName,
  { args = [], env = {}, cwd, input }: StartOptions = {},
): Program {
  const file = fileURLToPath(new URL(`../../dist/bin/${name}.js`, import.meta.url));
  // Node 20 takes an --env-file for itself, even one behind the program's name, unless `--` stands before.
  const child = spawn(process.execPath, ['--', file, ...args], { env: { ...inherited(), ...env }, cwd });
  child.stdin.on('error', () => undefined).end(input ?? '');
  const program = new Program(child);
  t.onTestFinished(async () => void (await program.killHard()));
  return program;
}

function inherited(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => name.startsWith('ESIGN_') || name.startsWith('VITEST');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}
