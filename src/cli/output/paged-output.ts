/**
 * Long output on a terminal goes through a pager: the one that PAGER names, else `less -FRX`. What a command says is
 * gathered and shown at its end, so that questions and progress meanwhile have the terminal to themselves.
 */
import { Writable } from 'node:stream';
import type { CliIo, OutStream } from '../io.js';

interface Said {
  to: 'stdout' | 'stderr';
  text: string;
}

export class PagedOutput {
  /** For results and remarks. */
  readonly io: CliIo;
  readonly #real: CliIo;
  readonly #said: Said[] = [];

  constructor(io: CliIo, { isWanted }: { isWanted: boolean }) {
    this.#real = io;
    this.io =
      isWanted && canPage(io)
        ? { ...io, stdout: this.#gather(io.stdout, 'stdout'), stderr: this.#gather(io.stderr, 'stderr') }
        : io;
  }

  /** Shows what the work has said: all at once, or on pages what does not fit on the screen. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.#show();
    }
  }

  async #show(): Promise<void> {
    const said = this.#said.splice(0);
    const result = said.flatMap(({ to, text }) => (to === 'stdout' ? text : [])).join('');
    const start = said.findIndex(({ to }) => to === 'stdout');
    if (start < 0 || this.#real.signal?.aborted || !(await isLong(said, this.#real.stdout))) {
      return this.#write(said);
    }
    const remarks = ({ to }: Said) => to === 'stderr';
    this.#write(said.slice(0, start));
    if (!(await page(this.#real, result))) this.#write([{ to: 'stdout', text: result }]);
    this.#write(said.slice(start).filter(remarks));
  }

  #write(said: readonly Said[]): void {
    for (const { to, text } of said) this.#real[to].write(text);
  }

  #gather(stream: OutStream, to: Said['to']): OutStream {
    const gathered = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        this.#said.push({ to, text });
        done();
      },
    });
    const { isTTY = false, columns = 0, rows = 0 } = stream;
    return Object.assign(gathered, { isTTY, columns, rows });
  }
}

function canPage({ stdout, env }: CliIo): boolean {
  const { PAGER, TERM } = env;
  return Boolean(stdout.isTTY && stdout.rows) && PAGER !== '' && PAGER !== 'cat' && TERM !== 'dumb';
}

/** Whether it would leave no line for the prompt. */
async function isLong(said: readonly Said[], { rows = 0, columns = 80 }: OutStream): Promise<boolean> {
  const { displayWidth } = await import('./text-width.js');
  const lines = said.flatMap(({ text }) => text.replace(/\n$/, '').split('\n'));
  const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  return height >= rows;
}

/** What a shell returns for a command that it cannot find or run. */
const NOT_RUN: readonly (number | null)[] = [126, 127];

/** Resolves when the pager has ended, also when it was left early; false when there is none. */
async function page(io: CliIo, text: string): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  const { env, stdout, stderr, signal, leaveCtrlC = (work) => work() } = io;
  const [file, ...words] = pagerOf(env);
  return leaveCtrlC(async () => {
    const pager = spawn(file as string, words, {
      stdio: ['pipe', stdout.fd ?? 'inherit', stderr.fd ?? 'inherit'],
      env: pagerEnvironment(env),
      ...(signal && { signal }),
    });
    // Left before it has read everything.
    pager.stdin?.on('error', () => undefined).end(text);
    return new Promise<boolean>((resolve) => {
      pager.on('error', () => resolve(false)).on('close', (code) => resolve(!NOT_RUN.includes(code)));
    });
  });
}

/** Behind sudo only ours: another would run with the rights of the service. */
function pagerOf({ PAGER, SUDO_USER }: CliIo['env']): string[] {
  return PAGER && !SUDO_USER ? ['/bin/sh', '-c', PAGER] : ['less', '-FRX'];
}

/** Without our settings, which hold secrets; and less starts no other program, for the same reason. */
function pagerEnvironment(env: CliIo['env']): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('ESIGN_'));
  return { LESSCHARSET: 'utf-8', ...Object.fromEntries(others), LESSSECURE: '1' };
}
