/** Where a demo keeps its files: `./var/demo`, wiped at the start if it is a demo's, or a temporary directory. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from './http.js';
import type { Settings } from './settings.js';

export interface Place {
  dir: string;
  envFile: string;
  logFile(name: string): string;
  /** Writes the settings file. */
  settle(settings: Settings): void;
  /** Removes a temporary directory; `./var/demo` stays to be looked at. */
  leave(): void;
}

const OURS = '# Written by the demo, which wipes this directory when it starts.';

/** Throws when the directory holds anything but an earlier demo, or when that demo is still running. */
export async function ownPlace(dir: string): Promise<Place> {
  const place = placeIn(dir, () => undefined);
  if (existsSync(dir) && readdirSync(dir).length > 0) {
    const settings = existsSync(place.envFile) ? readFileSync(place.envFile, 'utf8') : '';
    if (!settings.startsWith(OURS)) {
      throw new Error(`${dir} was not made by a demo; move it away, or remove it yourself`);
    }
    await refuseIfRunning(dir, settings);
    rmSync(dir, { recursive: true });
  }
  mkdirSync(dir, { recursive: true, mode: 0o750 });
  return place;
}

export function temporaryPlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'esign-demo-'));
  return placeIn(dir, () => rmSync(dir, { recursive: true, force: true }));
}

function placeIn(dir: string, leave: () => void): Place {
  const envFile = join(dir, 'demo.env');
  return {
    dir,
    envFile,
    logFile: (name) => join(dir, `${name}.log`),
    settle: (settings) => {
      const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
      writeFileSync(envFile, `${[OURS, ...lines].join('\n')}\n`, { mode: 0o600 });
    },
    leave,
  };
}

/** A process id may belong to another process by now, so the address must answer too. */
async function refuseIfRunning(dir: string, settings: string): Promise<void> {
  const pidFile = join(dir, 'esignd.pid');
  const url = /^ESIGN_BASE_URL="(.*)"$/m.exec(settings)?.[1];
  if (!existsSync(pidFile) || !url) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (!isAlive(pid)) return;
  const answer = await call(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answer) throw new Error(`a demo is running already, at ${url} (process ${pid})`);
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
