/** The way off the machine, and back: a snapshot now and then, sent by restic to a repository elsewhere. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programFile, runProgram } from '../../demo/program.js';
import type { Installation } from '../soak/installation.js';

const run = promisify(execFile);

export interface Copies {
  /** How many have arrived. */
  readonly arrived: number;
  /** The machine is lost: whatever is under way is killed. */
  lose(): Promise<void>;
  /** Brings the newest copy to this machine; returns its directory. */
  fetch(to: string): Promise<string>;
}

export async function startCopies(
  { directory, dataDir, env }: Installation,
  everyMs: number,
): Promise<Copies> {
  const snapshot = join(dataDir, 'snapshot');
  const restic = (...words: string[]) =>
    run('restic', ['--quiet', '--repo', join(directory, 'repository'), ...words], {
      env: { ...process.env, RESTIC_PASSWORD: 'drill', RESTIC_CACHE_DIR: join(directory, 'cache') },
      signal: lost.signal,
      killSignal: 'SIGKILL',
    });
  let lost = new AbortController();
  let arrived = 0;
  await restic('init');
  const send = async () => {
    const { signal } = lost;
    await runProgram(programFile('esignctl'), { args: ['snapshot', snapshot], env, signal });
    await restic('backup', snapshot);
    arrived += 1;
  };
  const sending = (async () => {
    while (!lost.signal.aborted) {
      const begun = performance.now();
      await send().catch((error: unknown) => {
        if (!lost.signal.aborted) throw error;
      });
      await pause(Math.max(0, everyMs - (performance.now() - begun)), undefined, {
        signal: lost.signal,
      }).catch(() => undefined);
    }
  })();
  return {
    get arrived() {
      return arrived;
    },
    async lose() {
      lost.abort();
      await sending;
      lost = new AbortController();
    },
    async fetch(to) {
      await restic('unlock', '--remove-all');
      await restic('restore', 'latest', '--target', to);
      const found = readdirSync(to, { recursive: true, encoding: 'utf8' }).find((name) =>
        /(^|\/)snapshot\/manifest\.json$/.test(name),
      );
      if (!found) throw new Error('restic brought no snapshot back');
      return join(to, found, '..');
    },
  };
}
