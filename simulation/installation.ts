/** One installation of the service: its data, its daemon while it runs, and commands beside it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import type { Disk } from './machine/disk.js';
import { losePower } from './machine/power.js';
import type { Machine, Process, Scheduler } from './machine/scheduler.js';
import { simulatedSend, type Host, type Network } from './network.js';
import type { PostOffice } from './post-office.js';
import type { Trace } from './trace.js';
import { runCli } from '../src/cli/main.js';
import type { Context, WaysOut } from '../src/core/context.js';
import type { OpenContext } from '../src/core/open-context.js';
import { openDaemon } from '../src/core/installation/daemon.js';
import { LOG_FORM } from '../src/core/log/form.js';
import { startSchedules, type Schedules } from '../src/core/schedule/schedule.js';
import { loadConfig } from '../src/core/settings/config.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { createApp, type App } from '../src/server/app.js';

export interface InstallationParts {
  scheduler: Scheduler;
  network: Network;
  postOffice: PostOffice;
  trace: Trace;
  machine: Machine & { disk: Disk };
  /** By which the providers know it. */
  id: string;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** The exit code that a shell shows for a program that was killed. */
const KILLED = 137;
/** As systemd restarts it. */
const RESTART_MS = 2_000;
/** After a start that failed; twice as long after each further one. */
const START_AGAIN_MS = 60_000;
const START_AGAIN_MS_MAX = 3_600_000;

/** Only what a person would see; numbers that measure are left out. */
const SHOWN = 'run result jobId kind requestId contractId attempt error what detail'.split(' ');

export class Installation implements Host {
  readonly name: string;
  readonly machine: Machine;
  readonly home: string;
  readonly #parts: InstallationParts;
  readonly #settings: Record<string, string>;
  /** While it answers calls. */
  process: Process | undefined;
  #starting: Process | undefined;
  #daemon: { ctx: OpenContext; app: App; schedules: Schedules; close: () => Promise<void> } | undefined;
  isWanted = false;
  /** Its daemon, last. */
  startedAt = -Infinity;
  #failedStarts = 0;

  constructor(name: string, home: string, settings: Record<string, string>, parts: InstallationParts) {
    this.name = name;
    this.home = home;
    this.machine = parts.machine;
    this.#settings = settings;
    this.#parts = parts;
    mkdirSync(this.dataDir, { recursive: true });
    writeFileSync(join(this.dataDir, 'esign.db'), freshDatabase(parts.id));
  }

  get dataDir(): string {
    return join(this.home, 'data');
  }

  get ctx(): Context | undefined {
    return this.#daemon?.ctx;
  }

  /** A path of its own for each process: what the service remembers by directory is forgotten with the process. */
  #environmentOf(process: Process): Record<string, string> {
    const path = join(this.home, `of-${process.pid}`);
    symlinkSync(this.dataDir, path);
    return { ...this.#settings, ESIGN_DATA_DIR: path };
  }

  /** The same for archives beside the data: a killed command's sync of their directory never ends, and the next one would await it. */
  #wordsOf(process: Process, argv: readonly string[]): string[] {
    const path = join(this.home, `beside-${process.pid}`);
    const isHere = (word: string) => word.startsWith(`${this.home}/`);
    if (argv.some(isHere)) symlinkSync(this.home, path);
    return argv.map((word) => (isHere(word) ? path + word.slice(this.home.length) : word));
  }

  #waysOut(): WaysOut {
    const { network, postOffice } = this.#parts;
    return {
      send: simulatedSend(network),
      openMail: postOffice.open,
      outbound: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
    };
  }

  /** Starts the daemon; it is started again whenever it ends. */
  start(): void {
    this.isWanted = true;
    if (this.#starting || this.process) return;
    const { scheduler, trace } = this.#parts;
    const process = scheduler.begin(this.name, this.machine);
    this.#starting = process;
    this.startedAt = scheduler.now;
    const work = async () => {
      await this.#serve(process);
      this.#starting = undefined;
      this.process = process;
      this.#failedStarts = 0;
      trace.add(`${this.name} answers calls`);
      scheduler.in(scheduler.nobody, () => this.onStart());
    };
    scheduler.in(process, work).catch((error: unknown) => {
      trace.add(`${this.name} does not start: ${this.#withoutPlaces((error as Error).message)}`);
      if (!/ENOSPC|full/.test(String(error)))
        trace.broken(`${this.name} does not start: ${(error as Error).stack}`);
      this.#ended(process, Math.min(START_AGAIN_MS_MAX, START_AGAIN_MS * 2 ** this.#failedStarts));
      this.#failedStarts += 1;
    });
  }

  async #serve(process: Process): Promise<void> {
    const { config } = loadConfig(this.#environmentOf(process));
    const log = pino(
      { level: 'info', ...LOG_FORM, timestamp: false },
      { write: (line: string) => this.#log(line) },
    );
    const daemon = await openDaemon(config, { log, ...this.#waysOut() });
    const { ctx } = daemon;
    const app = createApp(ctx);
    ctx.readiness.examine();
    await ctx.jobs.start();
    this.#daemon = { ctx, app, close: () => daemon.close(), schedules: startSchedules(ctx) };
  }

  #log(line: string): void {
    const { level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
    const shown = Object.entries(facts).filter(([name]) => SHOWN.includes(name));
    const words = shown.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ');
    this.#parts.trace.add(`${this.name} logs ${String(level)} ${String(msg)} ${this.#withoutPlaces(words)}`);
  }

  /** The digest must not depend on where the simulation runs. */
  #withoutPlaces(words: string): string {
    return words.replaceAll(this.home, '');
  }

  /** `kill -9`; it is started again after a while. */
  kill(downMs = RESTART_MS): void {
    const process = this.process ?? this.#starting;
    if (!process) return;
    this.#parts.trace.add(`${this.name} is killed`);
    this.#ended(process, downMs);
  }

  /** Ends the commands beside the daemon as well, and loses what was not synced. */
  losePower(downMs = RESTART_MS): void {
    const { scheduler, trace, machine } = this.#parts;
    trace.add(`${this.name} loses its power`);
    const settle = losePower(machine.disk, join(this.dataDir, 'esign.db'));
    const hasReturned = this.onPowerFailure();
    this.kill(downMs);
    for (const other of scheduler.processes.values()) if (other.machine === machine) scheduler.kill(other);
    settle();
    hasReturned();
  }

  /** Whoever reads its data lets go of them; returns what is to be done when the files are as the failure leaves them. */
  onPowerFailure: () => () => void = () => () => undefined;

  /** Whoever looks at its data as soon as its daemon answers calls. */
  onStart: () => void = () => undefined;

  /** SIGTERM. Resolves when it has ended. */
  async stop(): Promise<void> {
    const { scheduler, network, trace } = this.#parts;
    const process = this.process;
    const daemon = this.#daemon;
    this.isWanted = false;
    if (this.#starting) this.kill();
    if (!process || !daemon) return;
    this.process = undefined;
    await new Promise<void>((resolve) => {
      process.atDeath.push(resolve);
      void scheduler.in(process, async () => {
        await Promise.all([daemon.ctx.jobs.stop(), daemon.schedules.stop()]);
        await daemon.close();
        trace.add(`${this.name} has stopped`);
        scheduler.kill(process);
        network.died(process);
      });
    });
    this.#daemon = undefined;
  }

  #ended(process: Process, downMs = RESTART_MS): void {
    const { scheduler, network } = this.#parts;
    scheduler.kill(process);
    network.died(process);
    this.process = undefined;
    this.#starting = undefined;
    this.#daemon = undefined;
    scheduler.after(downMs, () => this.isWanted && this.start(), scheduler.nobody);
  }

  answer(request: Request, from: string): Response | Promise<Response> {
    const daemon = this.#daemon;
    if (!daemon) throw new Error('it is down');
    const incoming = { socket: { remoteAddress: from } };
    return daemon.app.fetch(request, { incoming });
  }

  /** Runs esignctl while the world stands still: for what packs and unpacks archives by threads of Node's own. */
  commandAtOnce(...argv: string[]): Promise<Ran> {
    return this.#parts.scheduler.frozen(() => this.#run(argv, {}));
  }

  /** Runs esignctl beside the daemon, as a process of its own. */
  command(...argv: string[]): Promise<Ran> {
    return this.commandWith('', ...argv);
  }

  /** The same, killed after so many milliseconds; undefined: not at all. */
  commandFor(livesMs: number | undefined, ...argv: string[]): Promise<Ran> {
    return this.#run(argv, { livesMs });
  }

  /** The same with something on its stdin. */
  commandWith(input: string, ...argv: string[]): Promise<Ran> {
    return this.#run(argv, { input });
  }

  #run(
    argv: string[],
    { input = '', livesMs }: { input?: string; livesMs?: number | undefined },
  ): Promise<Ran> {
    const { scheduler, trace } = this.#parts;
    const process = scheduler.begin(`${this.name}:esignctl`, this.machine);
    if (livesMs !== undefined) scheduler.after(livesMs, () => scheduler.kill(process), scheduler.nobody);
    const words = this.#withoutPlaces(`esignctl ${argv.join(' ')}`);
    trace.add(words);
    return new Promise<Ran>((resolve) => {
      const said = { stdout: '', stderr: '' };
      const end = (code: number) => {
        if (scheduler.isOver) return;
        trace.add(`${words}: exit ${code} ${this.#withoutPlaces(said.stderr.trim())}`);
        resolve({ code, ...said });
      };
      let exit = KILLED;
      process.atDeath.push(() => end(exit));
      void scheduler.in(process, async () => {
        const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
        streams.stdin.end(input);
        for (const name of ['stdout', 'stderr'] as const)
          streams[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
        const env = { ...this.#environmentOf(process), SUDO_USER: 'olga' };
        exit = await runCli(this.#wordsOf(process, argv), { ...streams, env, waysOut: this.#waysOut() });
        scheduler.kill(process);
      });
    });
  }
}

let migrated: Buffer | undefined;

/** SQLite draws the id of an installation itself; here it comes from the seed. */
function freshDatabase(id: string): Buffer {
  if (!migrated) {
    const db = openDb(':memory:', { busyTimeoutMs: 0 });
    migrate(db);
    migrated = db.raw.serialize();
    db.close();
  }
  const raw = new Database(migrated);
  raw.prepare('UPDATE installation SET id = ?').run(id);
  const bytes = raw.serialize();
  raw.close();
  return bytes;
}
