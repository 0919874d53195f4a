/**
 * Notices commits of other connections and processes. Every commit writes to the WAL; where the system tells of that
 * (inotify and the like), nothing needs to be looked at while it stays silent.
 */
import { statSync, utimesSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Well within the promised 250 ms (rules 8). */
const QUICK_MS = 100;
/** Where the system tells: finds out whether it still does. */
const SLOW_MS = 1_000;
/** It tells of every page, our own included. Once it has told, we need not listen for a while. */
const DEAF_MS = 1_000;
/** The frames are in the WAL first; the commit counts when they are on disk, which no event tells. */
const QUICK_FOR_MS = 5_000;

/**
 * Calls `look` ten times a second: all the time until the system has told of a write once, from then on only for some
 * seconds after each write, and else once a second. `look` returns whether another connection has committed; when
 * the system has not told of that, its word counts no more until it speaks again. Returns a function that ends it.
 */
export function watchDatabase(file: string, look: () => boolean): () => void {
  const log = `${file}-wal`;
  let isTrusted = false;
  let toldAt = -Infinity;
  let isDeaf = false;
  let pace: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const keepPace = (ms: number) => {
    if (ms === pace) return;
    pace = ms;
    clearInterval(timer);
    timer = setInterval(turn, ms);
  };
  const told = () => {
    toldAt = performance.now();
    isTrusted = true;
    keepPace(QUICK_MS);
    watcher?.close();
    isDeaf = true;
  };
  let watcher = writesTo(log, told);
  const turn = () => {
    const silentMs = performance.now() - toldAt;
    if (isDeaf && silentMs >= DEAF_MS) {
      watcher = writesTo(log, told);
      isDeaf = false;
    }
    const isSilent = silentMs > QUICK_FOR_MS;
    if (look() && isSilent) isTrusted = false;
    keepPace(isTrusted && isSilent ? SLOW_MS : QUICK_MS);
  };
  touch(log);
  keepPace(QUICK_MS);
  return () => {
    watcher?.close();
    clearInterval(timer);
  };
}

/** Watches the directory, since the file itself comes and goes. Undefined where that is impossible. */
function writesTo(file: string, tell: () => void): FSWatcher | undefined {
  const name = basename(file);
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_, changed) => {
      if (changed === name || changed === null) tell();
    });
    // It is closed then.
    return watcher.on('error', () => undefined);
  } catch {
    return undefined;
  }
}

/** Gives it the times that it has, so that the system tells of it. */
function touch(file: string): void {
  try {
    const { atime, mtime } = statSync(file);
    utimesSync(file, atime, mtime);
  } catch {
    // Nothing has been written yet.
  }
}
