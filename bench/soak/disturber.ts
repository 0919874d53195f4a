/** Stops the daemon at random moments, by kill -9 or SIGTERM, and starts it again. */
import { setTimeout as pause } from 'node:timers/promises';
import { howItEnded, type Program } from '../../demo/program.js';
import type { Sampler } from './samples.js';

export interface Ends {
  killed: number;
  terminated: number;
  /** After SIGTERM it was still waiting for a provider when our time limit, shorter than its own, was over. */
  cutShort: number;
  /** Exit codes after SIGTERM other than 0, and unexpected deaths. */
  wrong: string[];
}

export interface Disturber {
  ends: Ends;
  /** Ends with a kill -9; resolves with a daemon that runs undisturbed. */
  stop(): Promise<Program>;
}

const LIFE_MS = [2_500, 7_000] as const;
/** Every eighth life is long enough to see leaks. */
const LONG_LIFE_MS = 90_000;
const LONG_LIFE_EVERY = 8;
const TERM_PATIENCE_MS = 2_000;

export async function startDisturber(
  start: () => Promise<Program>,
  sampler: Sampler,
  { longLives }: { longLives: boolean },
): Promise<Disturber> {
  const ends: Ends = { killed: 0, terminated: 0, cutShort: 0, wrong: [] };
  const stopping = new AbortController();
  let lives = 0;
  let daemon = await begin();

  async function begin(): Promise<Program> {
    const daemon = await start();
    lives += 1;
    sampler.watch(daemon.pid);
    return daemon;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const isLong = longLives && lives % LONG_LIFE_EVERY === 0;
      const [least, most] = LIFE_MS;
      const lifeMs = isLong ? LONG_LIFE_MS : least + Math.random() * (most - least);
      const how = await Promise.race([
        daemon.ended,
        pause(lifeMs, undefined, { signal: stopping.signal }).catch(() => undefined),
      ]);
      if (how !== undefined) ends.wrong.push(`died by itself: ${howItEnded(how)}`);
      // Always the first: on a busy machine a short soak has few ends.
      else if (ends.killed === 0 || stopping.signal.aborted || Math.random() < 0.6)
        await killHard(daemon, ends);
      else await terminate(daemon, ends);
      daemon = await begin();
    }
  })();
  return {
    ends,
    async stop() {
      stopping.abort();
      await running;
      return daemon;
    },
  };
}

async function killHard(daemon: Program, ends: Ends): Promise<void> {
  await daemon.killHard();
  ends.killed += 1;
}

async function terminate(daemon: Program, ends: Ends): Promise<void> {
  ends.terminated += 1;
  const how = await Promise.race([daemon.stop(), pause(TERM_PATIENCE_MS, undefined)]);
  if (how === undefined) {
    ends.cutShort += 1;
    await daemon.killHard();
  } else if (how.code !== 0) ends.wrong.push(`SIGTERM: ${howItEnded(how)}`);
}
