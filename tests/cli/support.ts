/** esignctl in a test: in this process on streams of the test, or as the program that is shipped, against a real sandbox. */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/main.js';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { JobName } from '../../src/core/jobs/names.js';
import type { SandboxOptions } from '../../sandbox/start.js';
import { startApp, testSettings, type TestApp } from '../support/app.js';
import { startCommand, type Program } from '../support/processes.js';

/** The program as it is shipped: `npm test` builds it first. */
export const PROGRAM = fileURLToPath(new URL('../../dist/bin/esignctl.js', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Surroundings {
  env?: Record<string, string | undefined>;
  /** Bytes on stdin; a pipe unless `terminal` says otherwise. */
  stdin?: string;
  /** Which streams are terminals, of how many columns; of unknown height unless `rows` says it. */
  terminal?: { stdin?: boolean; stdout?: number; stderr?: number; rows?: number };
  signal?: AbortSignal;
  /** Called with what has come out so far on either stream. */
  onOutput?: (text: string) => void;
}

type Terminal = PassThrough & { isTTY?: boolean; columns?: number };

/** Runs esignctl in this process. Without settings of its own it finds none. */
export async function run(argv: string[], surroundings: Surroundings = {}): Promise<Ran> {
  const { env = {}, stdin: input = '', terminal = {}, signal, onOutput } = surroundings;
  const [stdin, stdout, stderr]: Terminal[] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (!stdin || !stdout || !stderr) throw new Error('unreachable');
  asTerminal(stdout, terminal.stdout);
  asTerminal(stderr, terminal.stderr);
  if (terminal.rows !== undefined) Object.assign(stdout, { rows: terminal.rows });
  if (terminal.stdin) stdin.isTTY = true;
  else stdin.end(input);
  const said = { stdout: '', stderr: '' };
  for (const [name, stream] of Object.entries({ stdout, stderr }) as ['stdout' | 'stderr', Terminal][]) {
    stream.on('data', (chunk: Buffer) => {
      said[name] += chunk.toString();
      if (terminal.stdin && input && name === 'stderr' && said.stderr.includes('?')) {
        // Typed once, when the question stands there.
        setTimeout(() => stdin.write(input), 20);
        terminal.stdin = false;
      }
      onOutput?.(said.stdout + said.stderr);
    });
  }
  const code = await runCli(argv, { stdin, stdout, stderr, env, ...(signal && { signal }) });
  return { code, ...said };
}

function asTerminal(stream: Terminal, columns: number | undefined): void {
  if (columns === undefined) return;
  const still = () => true;
  Object.assign(stream, { isTTY: true, columns, cursorTo: still, clearLine: still, moveCursor: still });
}

export interface Cli extends TestApp {
  /** The settings that lead esignctl to this data directory and this sandbox. */
  env: Record<string, string>;
  /** The first is as typed, up to what is one word with a space in it: `failed show 12`. */
  run(...argv: string[]): Promise<Ran>;
  runIn(surroundings: Surroundings, ...argv: string[]): Promise<Ran>;
  /** A failed job of a contract that waits for its signature; it succeeds when it is replayed. */
  addFailedJob(changes?: Partial<FailedJob>): Promise<number>;
}

interface FailedJob {
  kind: JobName;
  payload: unknown;
  error: string;
  failedAt: string;
  attempt: number;
  requestId: number | null;
}

/** A data directory, a sandbox and esignctl, all by the real clock unless the service and the sandbox get another. */
export async function startCli(
  sandbox: SandboxOptions = {},
  clock: Clock = systemClock,
  settings: Record<string, string> = {},
): Promise<Cli> {
  const now = () => clock.now().getTime();
  const app = await startApp({ context: { clock }, sandbox: { now, ...sandbox }, env: settings });
  const env = { ...testSettings(app.dataDir, app.sandbox), TZ: 'Europe/Paris', ...settings };
  const runIn = (surroundings: Surroundings, typed = '', ...more: string[]) =>
    run([...typed.split(' '), ...more], { ...surroundings, env: { ...env, ...surroundings.env } });
  return {
    ...app,
    env,
    runIn,
    run: (...argv) => runIn({}, ...argv),
    addFailedJob: (changes) => addFailedJob(app, changes),
  };
}

async function addFailedJob(app: TestApp, changes: Partial<FailedJob> = {}): Promise<number> {
  const { request, contract } = await app.waitingRequest();
  const job: FailedJob = {
    kind: 'send-mail',
    payload: { mail: 'contract-ended', contractId: contract.id, reason: 'declined', declineReason: null },
    error: 'the mail server answered 451',
    failedAt: '2026-03-02T09:14:07.123Z',
    attempt: 7,
    requestId: request.id,
    ...changes,
  };
  const { kind, error, failedAt, attempt, requestId } = job;
  const insert = app.ctx.db.raw.prepare(
    `INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, errors, requestId, contractId, createdAt, finishedAt)
     VALUES (?, ?, 'failed', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const { lastInsertRowid } = insert.run(
    kind,
    JSON.stringify(job.payload),
    attempt,
    failedAt,
    error,
    JSON.stringify([{ attempt, at: failedAt, error }]),
    requestId,
    contract.id,
    '2026-03-02T09:00:00.000Z',
    failedAt,
  );
  return Number(lastInsertRowid);
}

/** The shipped program, its three streams as pipes unless told otherwise. */
export function launch(
  argv: readonly string[],
  env: Record<string, string>,
  command = process.execPath,
): Program {
  return startCommand(command, command === process.execPath ? [PROGRAM, ...argv] : argv, env);
}

/** What the program printed by its end, and its exit code. */
export async function ended(program: Program): Promise<Ran> {
  const { code, stdout, stderr } = await program.ended;
  return { code: code ?? -1, stdout, stderr };
}

/** The shipped program on a terminal of its own, by the `script` of util-linux; `typed` is sent when `prompt` has appeared. */
export function onTerminal(
  argv: string[],
  env: Record<string, string>,
  { columns = 100, answers = [] }: { columns?: number; answers?: { prompt: string; typed: string }[] } = {},
): Promise<Ran> {
  const words = [process.execPath, PROGRAM, ...argv].map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns}; exec ${words}`;
  const program = launch(['-qec', command, '/dev/null'], { TERM: 'xterm', ...env }, 'script');
  const waiting = [...answers];
  let said = '';
  program.child.stdout?.on('data', (text: string) => {
    said += text;
    const next = waiting[0];
    if (!next || !said.includes(next.prompt)) return;
    waiting.shift();
    said = '';
    // The prompt listens a moment after it has drawn itself.
    setTimeout(() => program.child.stdin?.write(next.typed), 100);
  });
  return ended(program);
}

type Json = Record<string, unknown>;

/** The one JSON document of stdout, an object. */
export function json({ stdout }: Ran): Json {
  return JSON.parse(stdout) as Json;
}

/** The one JSON document of stdout, a list. */
export function jsonList({ stdout }: Ran): Json[] {
  return JSON.parse(stdout) as Json[];
}

/** The error that --json prints on stderr. */
export function jsonError({ stderr }: Ran): { code: string; message: string; hint: string | null } {
  return (JSON.parse(stderr) as { error: { code: string; message: string; hint: string | null } }).error;
}
