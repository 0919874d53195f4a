/** Starts the sandbox and the daemon as they are shipped, and stops both. */
import { Child, programFile } from './child.js';
import type { Place } from './place.js';
import { choosePorts, type Ports } from './ports.js';
import { demoSettings, type Settings } from './settings.js';
import { runProgram } from './run-program.js';

export interface Services {
  baseUrl: string;
  sandboxUrl: string;
  signal: AbortSignal;
  /** Runs one command of the operator; resolves with its stdout, rejects with its complaint. */
  esignctl(args: string[], input: string): Promise<string>;
}

export interface Running extends Services {
  children: Child[];
  stop(): Promise<void>;
}

const TRIES = 3;

/** `stop` is aborted when one of the programs dies. Rejects, with nothing left running, when one does not come up. */
export async function startServices(
  place: Place,
  stop: AbortController,
  started: (children: Child[]) => void,
): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts({ usual: attempt === 1 });
    const settings = demoSettings(place.dir, ports);
    place.settle(settings);
    const children: Child[] = [];
    started(children);
    try {
      await startBoth(place, settings, ports, stop.signal, children);
      for (const child of children) child.onDeath((error) => stop.abort(error));
      return running(place, settings, children, stop.signal);
    } catch (error) {
      await stopAll(children);
      if (attempt === TRIES || !isPortLost(children)) throw error;
    }
  }
}

async function startBoth(
  place: Place,
  settings: Settings,
  { sandbox, smtp }: Ports,
  signal: AbortSignal,
  children: Child[],
): Promise<void> {
  const env = cleanEnvironment();
  const start = async (name: string, args: string[], more: Settings = {}) => {
    const child = new Child({ name, args, env: { ...env, ...more }, logFile: place.logFile(name) });
    children.push(child);
    await child.said(READY, signal);
  };
  // The sandbox knows the secrets of the other side, as the real providers do.
  await start('esign-sandbox', ['--port', String(sandbox), '--smtp-port', String(smtp)], settings);
  await start('esignd', ['--env-file', place.envFile]);
}

const READY = /\bready\b/;

/** Between choosing a port and taking it, somebody else may have been faster. */
function isPortLost(children: readonly Child[]): boolean {
  return children.some((child) => child.lastLines().some((line) => /in use|EADDRINUSE/.test(line)));
}

function running(place: Place, settings: Settings, children: Child[], signal: AbortSignal): Running {
  return {
    baseUrl: settings['ESIGN_BASE_URL'] as string,
    sandboxUrl: settings['ESIGN_PAYMENT_API_URL'] as string,
    signal,
    children,
    esignctl: (args, input) => {
      const words = [programFile('esignctl'), '--env-file', place.envFile, ...args];
      return runProgram('esignctl', words, { env: cleanEnvironment(), input, signal });
    },
    stop: () => stopAll(children),
  };
}

/** The daemon first: what it is doing for a provider may end well. */
async function stopAll(children: readonly Child[]): Promise<void> {
  for (const child of children.toReversed()) await child.stop();
}

/** Settings of another installation must not reach the demo. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ESIGN_')));
}
