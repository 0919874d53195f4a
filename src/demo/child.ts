/** One of the real programs as a child process: what it says is kept, its death is noticed, it never outlives the demo. */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from './patience.js';

export interface ChildOptions {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
}

const LINES_KEPT = 40;
const STOP_MS = 10_000;
/** Ctrl-C in a terminal reaches our children too, perhaps before us. */
const CTRL_C_MS = 300;

export class Child {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  #rest = '';
  #isStopping = false;
  #end: string | undefined;

  constructor({ name, args, env, logFile }: ChildOptions) {
    this.name = name;
    const child = spawn(process.execPath, [programFile(name), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#hear(text, logFile));
    }
    child.once('error', (error) => (this.#end ??= `could not be started: ${error.message}`));
    child.once('close', (code, signal) => (this.#end ??= `ended with ${signal ?? `exit code ${code}`}`));
    // The last resort, should the demo itself break down.
    process.once('exit', this.#kill);
  }

  /** Resolves once the program has said a line that matches. Rejects when it ends or the time is over. */
  said(pattern: RegExp, signal: AbortSignal): Promise<string> {
    const look = () => {
      const line = this.#lines.find((line) => pattern.test(line));
      if (line === undefined && this.#end !== undefined) throw new Error(`${this.name} ${this.#end}`);
      return line;
    };
    return until(`the ready line of ${this.name}`, look, { signal });
  }

  /** Calls back when the program ends without having been told to. */
  onDeath(tell: (error: Error) => void): void {
    const died = () => {
      if (!this.#isStopping) tell(new Error(`${this.name} ${this.#end}`));
    };
    if (this.#end === undefined) this.#process.once('close', () => setTimeout(died, CTRL_C_MS));
    else died();
  }

  lastLines(): readonly string[] {
    return this.#rest ? [...this.#lines, this.#rest] : this.#lines;
  }

  /** SIGTERM, then SIGKILL for one that does not go. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const isGone = () => (this.#end === undefined ? undefined : true);
    const wait = { signal: new AbortController().signal, timeoutMs: STOP_MS, everyMs: 20 };
    if (!isGone()) this.#process.kill('SIGTERM');
    await until(`the end of ${this.name}`, isGone, wait).catch(this.#kill);
    process.off('exit', this.#kill);
  }

  readonly #kill = (): void => void this.#process.kill('SIGKILL');

  #hear(text: string, logFile: string): void {
    appendFileSync(logFile, text);
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.#lines.push(...lines);
    this.#lines.splice(0, this.#lines.length - LINES_KEPT);
  }
}

/** The built program of that name: dist/bin is two levels above the built form of this file. */
export function programFile(name: string): string {
  return fileURLToPath(new URL(`../../bin/${name}.js`, import.meta.url));
}
