/** The daemon esignd: reads the settings, opens one port, runs jobs and schedules until a signal ends it. */
import { parseArgs } from 'node:util';
import type { Log } from '../core/log/log.js';
import {
  ConfigError,
  loadConfig,
  type Config,
  type Environment,
  type LoadedConfig,
} from '../core/settings/config.js';
import { inInstance } from '../core/settings/instance.js';
import { loadHandlers } from '../core/jobs/kinds.js';
import { openDaemon, StartError, WrongDataError } from '../core/installation/daemon.js';
import { startSchedules } from '../core/schedule/schedule.js';
import { packageVersion, versionLine } from '../core/installation/version.js';
import { noteSettings, reloadSettings } from '../core/settings/reload.js';
import type { UnknownSetting } from '../core/settings/unknown.js';
import type { Context } from '../core/context.js';
import { describeError, messageOf } from '../core/errors.js';
import { KeyFileError } from '../core/installation/secret-file.js';
import { createApp } from './app.js';
import { listen, type Listener } from './http/listen.js';
import { DaemonMetrics } from './operations/metrics.js';
import { isJournal, onOneLine, openProcessLog, tellRefusal } from './operations/process-log.js';
import { serviceManager, type ServiceManager } from './operations/service-manager.js';

const HELP = `esignd carries maintenance contracts from "please sign" to "signed and paid".

Usage: esignd [--env-file FILE | --instance NAME] [--no-create]

  --env-file FILE  read settings from FILE; the environment takes precedence
  --instance NAME  one of several installations: read /etc/esign/NAME.env
  --no-create      refuse to start where there is no database; else the first start makes one
  --version        print the versions of program, schema and Node
  --help           print this

The settings are ESIGN_… variables; docs/settings.md lists them. Wrong ones are all named before anything starts.

Examples:
  esignd
  esignd --env-file /etc/esign/esign.env

SIGHUP reads the settings again: secrets and the level of the log hold at once, others after a restart.

Exit codes: 0 stopped by SIGTERM or SIGINT; 1 it could not start, or failed; 2 wrong usage or settings, or no database.
`;

const STOP_WITHIN_MS = 30_000;
const STDOUT = 1;

/** Resolves with the exit code. */
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    const options = parseOptions(argv, environment);
    if (typeof options === 'number') return options;
    const load = () => loadConfig(options.environment, options.envFile);
    return await serve(load, environment, { mustExist: options.noCreate });
  } catch (error) {
    const refusal = refusalOf(error);
    tellRefusal(environment, refusal.words, refusal.facts);
    // `systemctl status` still shows it when the journal has moved on.
    await serviceManager(environment).tell(`STATUS=${onOneLine(refusal.words)}`);
    return refusal.exitCode;
  }
}

interface Refusal {
  words: string;
  facts?: object;
  exitCode: number;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof UsageError) return { words: error.message, exitCode: 2 };
  if (error instanceof ConfigError)
    return { words: error.message, facts: { faults: error.faults }, exitCode: 2 };
  if (error instanceof WrongDataError) return { words: error.message, exitCode: 2 };
  if (error instanceof StartError || error instanceof KeyFileError)
    return { words: error.message, exitCode: 1 };
  return { words: `unexpected failure: ${describeError(error)}`, facts: { err: error }, exitCode: 1 };
}

class UsageError extends Error {}

interface Options {
  envFile: string | undefined;
  environment: Environment;
  noCreate: boolean;
}

function parseOptions(argv: readonly string[], environment: Environment): Options | number {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        'env-file': { type: 'string' },
        'no-create': { type: 'boolean', default: false },
        instance: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    });
    if (values.help) return print(HELP);
    if (values.version) return print(`${versionLine()}\n`);
    const { 'env-file': envFile, instance, 'no-create': noCreate } = values;
    if (instance === undefined) return { envFile, environment, noCreate };
    if (envFile !== undefined) throw new Error('--instance and --env-file cannot be given together');
    return { envFile, environment: inInstance(environment, instance), noCreate };
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\nSee esignd --help.`, { cause: error });
  }
}

/** `load` reads the settings, at the start and on each SIGHUP. */
async function serve(
  load: () => LoadedConfig,
  environment: Environment,
  { mustExist }: { mustExist: boolean },
): Promise<number> {
  const { config, unknown } = load();
  const log = openProcessLog(config.logLevel, environment);
  tellUnknown(log, unknown);
  const manager = serviceManager(environment, log);
  const stopped = stopSignal();
  const metrics = new DaemonMetrics();
  const daemon = await openDaemon(config, { log, metrics, mustExist });
  const { ctx } = daemon;
  let listener: Listener;
  try {
    const app = createApp(ctx, metrics);
    listener = await listen(app, { ...config, onConnection: () => ctx.jobs.calls.connected() }).catch(
      (error: unknown) => {
        throw notListening(error as NodeJS.ErrnoException, config);
      },
    );
  } catch (error) {
    await daemon.close();
    throw error;
  }
  const stopping = new AbortController();
  ctx.readiness.examine(stopping.signal);
  const { isDamaged } = ctx.readiness;
  // Jobs would write to the damaged database; reads are still answered.
  await loadHandlers();
  if (!isDamaged) {
    await noteSettings(ctx).catch((error: unknown) =>
      log.error({ err: error }, 'changed settings could not be written into the history'),
    );
    await ctx.jobs.start();
  }
  const schedules = isDamaged ? undefined : startSchedules(ctx);
  const url = urlOf(config.host, listener.port);
  log.info({ address: url, pid: process.pid, version: packageVersion() }, 'ready');
  // The journal has it already and holds only JSON.
  if (!isJournal(STDOUT, environment)) print(`esignd listening on ${url}\n`);
  // On a terminal SIGHUP means that the terminal is gone.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void reload(ctx, load, manager));
  const status = `${isDamaged ? 'the database is damaged, nothing is stored; ' : ''}listening on ${url}`;
  await manager.tell('READY=1', `STATUS=${status}`);
  manager.startWatchdog();

  log.info({ signal: await stopped }, 'stopping');
  void manager.tell('STOPPING=1');
  stopping.abort();
  // In parallel, or a slow answer would use up the jobs' time.
  await Promise.all([
    listener.close(STOP_WITHIN_MS),
    ctx.jobs.stop(STOP_WITHIN_MS),
    within(schedules?.stop() ?? Promise.resolve()),
  ]);
  await daemon.close();
  log.info('stopped');
  manager.stopWatchdog();
  return 0;
}

function tellUnknown(log: Log, unknown: readonly UnknownSetting[]): void {
  for (const each of unknown) log.warn(each, 'this is not a setting and is not read');
}

/** With wrong settings the daemon keeps the current ones. */
async function reload(ctx: Context, load: () => LoadedConfig, manager: ServiceManager): Promise<void> {
  await manager.tell('RELOADING=1');
  try {
    const { config, unknown } = load();
    tellUnknown(ctx.log, unknown);
    ctx.log.info(await reloadSettings(ctx, config), 'settings read again');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    ctx.log.error({ faults: error.faults }, 'wrong settings: those from before stay');
  }
  await manager.tell('READY=1');
}

async function within(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, STOP_WITHIN_MS)))]);
  clearTimeout(timer);
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

function notListening(error: NodeJS.ErrnoException, { host, port }: Config): unknown {
  const where = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return new StartError(`Port ${port} on ${host} is in use. Stop what listens there, or set ESIGN_PORT.`);
  }
  if (error.code === 'EACCES') {
    return new StartError(`This user may not listen on ${where}. Set ESIGN_PORT to a port above 1023.`);
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`${host} is no address of this machine. Set ESIGN_HOST.`);
  }
  return error;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function print(words: string): number {
  process.stdout.write(words);
  return 0;
}
