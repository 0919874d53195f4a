/** Starts the sandbox and the daemon as they are shipped, and stops both. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from './place.js';
import { howItEnded, programFile, runProgram, startProgram, type Program } from './program.js';
import { demoSettings, type Ports, type Settings } from './settings.js';

export interface Services {
  baseUrl: string;
  sandboxUrl: string;
  signal: AbortSignal;
  /** Runs one command of the operator; resolves with its stdout, rejects with its complaint. */
  esignctl(args: string[], input: string): Promise<string>;
}

export interface Running extends Services {
  children: Program[];
  stop(): Promise<void>;
}

const TRIES = 3;
const COMMAND_MS = 30_000;
const STOP_MS = 10_000;
/** Ctrl-C in a terminal also reaches our children, perhaps before us. */
const CTRL_C_MS = 300;

/** Aborts `stop` when one of the programs dies. Rejects, with nothing left running, when one does not start. */
export async function startServices(
  place: Place,
  stop: AbortController,
  started: (children: Program[]) => void,
): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts({ usual: attempt === 1 });
    const settings = demoSettings(place.dir, ports);
    place.settle(settings);
    const children: Program[] = [];
    started(children);
    try {
      await startBoth(place, settings, ports, stop.signal, children);
      return running(place, settings, children, stop);
    } catch (error) {
      await stopAll(children);
      if (attempt === TRIES || !(await isAnyTaken(ports))) throw error;
    }
  }
}

async function startBoth(
  place: Place,
  settings: Settings,
  { sandbox, smtp }: Ports,
  signal: AbortSignal,
  children: Program[],
): Promise<void> {
  const start = async (name: string, args: string[], env: Settings = {}) => {
    const child = startProgram(programFile(name), { args, env, logFile: place.logFile(name) });
    children.push(child);
    await child.said(READY, { signal });
  };
  // The sandbox knows the service's secrets, as the real providers do.
  await start('esign-sandbox', ['--port', String(sandbox), '--smtp-port', String(smtp)], settings);
  await start('esignd', ['--env-file', place.envFile]);
}

const READY = /\bready\b/;

/** Another process may have taken a port since it was chosen. */
async function isAnyTaken(ports: Ports): Promise<boolean> {
  const found = await Promise.all(Object.values(ports).map(tryPort));
  return found.includes(undefined);
}

function running(place: Place, settings: Settings, children: Program[], stop: AbortController): Running {
  const { signal } = stop;
  let isStopping = false;
  for (const child of children) {
    void child.ended.then(async (end) => {
      await pause(CTRL_C_MS, undefined, { ref: false });
      if (!isStopping) stop.abort(new Error(`${child.name} ${howItEnded(end)}`));
    });
  }
  return {
    baseUrl: settings['ESIGN_BASE_URL'] as string,
    sandboxUrl: settings['ESIGN_PAYMENT_API_URL'] as string,
    signal,
    children,
    esignctl: (words, input) => {
      const args = ['--env-file', place.envFile, ...words];
      const patience = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS)]);
      return runProgram(programFile('esignctl'), { args, input, signal: patience });
    },
    stop: () => {
      isStopping = true;
      return stopAll(children);
    },
  };
}

/** The daemon first, so that its calls to the providers can finish. */
async function stopAll(children: readonly Program[]): Promise<void> {
  for (const child of children.toReversed()) {
    const end = child.stop();
    const last = setTimeout(() => child.kill(), STOP_MS);
    await end;
    clearTimeout(last);
  }
}

const USUAL: Ports = { api: 8080, sandbox: 8090, smtp: 8025 };

/** The usual ports if they are free, else any. `usual: false` when another process has just taken one of them. */
/** Of the API the one in ESIGN_PORT, if that is set. */
async function choosePorts({ usual }: { usual: boolean }): Promise<Ports> {
  const port = async (name: keyof Ports) =>
    (usual ? await tryPort(usualPort(name)) : undefined) ?? (await tryPort(0)) ?? 0;
  return { api: await port('api'), sandbox: await port('sandbox'), smtp: await port('smtp') };
}

function usualPort(name: keyof Ports): number {
  return (name === 'api' && Number(process.env['ESIGN_PORT'])) || USUAL[name];
}

/** The port if it is free right now; 0 means any. */
async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    return typeof address === 'object' ? address?.port : undefined;
  } catch {
    return undefined;
  }
}
