/** The command `npm run demo`: plays the story with `--auto`, else waits for a person until Ctrl-C. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from './program.js';
import { call } from './http.js';
import { invitation } from './invitation.js';
import { ownPlace, temporaryPlace, type Place } from './place.js';
import { setTheScene } from './scene.js';
import { startServices, type Running } from './services.js';
import { Steps, type Print } from './steps.js';
import { tellTheStory } from './story.js';

const USAGE = `Usage: npm run demo [-- --auto]

Starts the sandbox and the daemon and puts one request up for signature. You play the customer: sign, then pay.
It runs until Ctrl-C; its files are in ./var/demo.

  --auto   plays the customer too, checks every step, stops everything and leaves no file

Exit codes: 0 done or stopped by Ctrl-C; 1 a step failed; 2 wrong usage; 130 --auto was interrupted.`;

const DIRECTORY = './var/demo';

/** Resolves with the exit code when everything it started has ended. */
export async function main(argv: readonly string[]): Promise<number> {
  const [option, ...more] = argv;
  if (option === '--help' && more.length === 0) return tell(process.stdout, USAGE, 0);
  const isAuto = option === '--auto';
  if ((option !== undefined && !isAuto) || more.length > 0) return tell(process.stderr, USAGE, 2);
  return run(isAuto);
}

async function run(isAuto: boolean): Promise<number> {
  const stop = new AbortController();
  const forget = listenForTheEnd(stop);
  const print: Print = (line) => void process.stdout.write(`${line}\n`);
  const steps = new Steps(print);
  let children: readonly Program[] = [];
  let services: Running | undefined;
  let place: Place | undefined;
  try {
    place = isAuto ? temporaryPlace() : await ownPlace(DIRECTORY);
    steps.current = 'starting the sandbox and the daemon';
    services = await startServices(place, stop, (started) => (children = started));
    steps.say(`sandbox ready at ${services.sandboxUrl}, daemon ready at ${services.baseUrl}`);
    const scene = await setTheScene(services, steps);
    if (isAuto) await tellTheStory(services, scene, steps);
    else {
      print(invitation(services, scene, place));
      steps.current = 'running';
      await watch(services);
    }
    await services.stop();
    if (isAuto) steps.say('everything stopped');
    return 0;
  } catch (error) {
    await services?.stop();
    return explain(stop.signal.aborted ? stop.signal.reason : error, { isAuto, steps, children });
  } finally {
    place?.leave();
    forget();
  }
}

/** Ctrl-C, or the reader of our output has gone. */
class Interrupted extends Error {}

function listenForTheEnd(stop: AbortController): () => void {
  const end = () => stop.abort(new Interrupted());
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  process.stdout.on('error', end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

const WATCH_MS = 5_000;

/** Rejects when the demo is stopped, a program has died, or the daemon no longer answers. */
async function watch({ baseUrl, signal }: Running): Promise<never> {
  for (;;) {
    await pause(WATCH_MS, undefined, { signal });
    await call(`${baseUrl}/healthz`, { signal });
  }
}

function explain(
  error: unknown,
  { isAuto, steps, children }: { isAuto: boolean; steps: Steps; children: readonly Program[] },
): number {
  if (error instanceof Interrupted) return isAuto ? tell(process.stderr, 'interrupted', 130) : 0;
  const why = error instanceof Error ? error.message : String(error);
  const logs = children.flatMap((child) => [
    `last lines of ${child.name}:`,
    ...child.lastLines().map((line) => `  ${line}`),
  ]);
  return tell(process.stderr, [`failed: ${steps.current}: ${why}`, ...logs].join('\n'), 1);
}

function tell(stream: NodeJS.WritableStream, text: string, exitCode: number): number {
  stream.write(`${text}\n`);
  return exitCode;
}
