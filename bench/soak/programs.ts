/** The real programs as child processes of the soak: sandbox and daemon. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** dist/bin is two levels above the built form of this file. */
const fileOf = (name: string) => fileURLToPath(new URL(`../../bin/${name}.js`, import.meta.url));

const READY_MS = 60_000;

export type ProgramEnv = Record<string, string>;

export class Program {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #log: WriteStream;
  #said = '';
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;

  constructor(name: string, args: string[], env: ProgramEnv, logFile: string) {
    this.name = name;
    const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith('ESIGN_'));
    this.#child = spawn(process.execPath, [fileOf(name), ...args], {
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#log = createWriteStream(logFile, { flags: 'a' });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log.write(text);
        // Only what a waiting `ready` can need: a daemon says much in an hour.
        this.#said = (this.#said + text).slice(-20_000);
      });
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#log.end();
        resolve(signal ?? code ?? -1);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The line with which the program says that it can be used. */
  async ready(pattern: RegExp): Promise<RegExpExecArray> {
    const end = performance.now() + READY_MS;
    let isOver = false;
    void this.ended.then(() => (isOver = true));
    for (;;) {
      const found = pattern.exec(this.#said);
      if (found) return found;
      if (isOver || performance.now() > end) throw new Error(`${this.name} did not come up:\n${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** One command of the operator, to its end; rejects when it ends with another code than those. */
export async function esignctl(
  args: string[],
  env: ProgramEnv,
  { input = '', codes = [0] }: { input?: string; codes?: number[] } = {},
): Promise<void> {
  const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith('ESIGN_'));
  const child = spawn(process.execPath, [fileOf('esignctl'), ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
  });
  child.stdin.on('error', () => undefined).end(input);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code === null || !codes.includes(code)) {
    throw new Error(`esignctl ${args.join(' ')} ended with ${code}: ${said.slice(-2_000)}`);
  }
}
