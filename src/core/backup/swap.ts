/**
 * Swaps unpacked data for the present ones. No file system renames several files at once, so a plan is written first
 * and from then on the swap only goes forward. Whoever opens the data directory next finishes it; a killed restore
 * leaves the old data or the new, never a mix.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeDaemonLock } from '../../db/installation/daemon-lock.js';
import { AppError, refused } from '../errors.js';
import { syncDirectory, syncNow } from '../installation/sync-directory.js';

const PLAN = 'restore-plan.json';

/** Where a restore unpacks to: inside the data directory, because its user may not write beside it. */
const STAGING = 'restore-unpacked';

/** The old database's logs go first; they must never meet the new database. */
const LOGS = ['esign.db-wal', 'esign.db-shm'];
const DATA = ['esign.db', 'contracts', 'keys'];

const ASIDE = /^before-restore-[0-9TZ]+(-\d+)?$/;

export function stagingOf(dataDir: string): string {
  return join(dataDir, STAGING);
}

export function isSwapBegun(dataDir: string): boolean {
  return existsSync(join(dataDir, PLAN));
}

/** Swaps in the staging directory and returns where the old data is now. The caller holds the daemon's lock. */
export async function swapIn(dataDir: string, now: Date): Promise<string> {
  const aside = freeName(
    dataDir,
    `before-restore-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
  );
  refuseMounts(dataDir);
  for (const name of ['contracts', 'keys', '.']) await syncDirectory(join(stagingOf(dataDir), name));
  const draft = join(dataDir, `${PLAN}.tmp`);
  await writeFile(draft, JSON.stringify({ aside }), { mode: 0o600, flush: true });
  await rename(draft, join(dataDir, PLAN));
  await syncDirectory(dataDir);
  finishSwap(dataDir);
  await syncDirectory(dataDir);
  return join(dataDir, aside);
}

/** What an earlier restore in the same second has set aside must not be replaced. */
function freeName(dataDir: string, name: string): string {
  const named = (n: number) => (n === 1 ? name : `${name}-${n}`);
  let n = 1;
  while (existsSync(join(dataDir, named(n)))) n += 1;
  return named(n);
}

/** A mount point cannot be renamed; refuse before anything has moved. */
function refuseMounts(dataDir: string): void {
  const home = lstatSync(dataDir).dev;
  const mount = DATA.find((name) => {
    const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false });
    return found && found.dev !== home;
  });
  if (mount)
    throw refused(
      'data_in_use',
      `${join(dataDir, mount)} is a file system of its own.`,
      'Unmount it, restore, and move what was restored onto it.',
    );
}

/**
 * Finishes a swap that was begun; of a restore that was killed before, removes the copy of all data. Safe to call at any time under
 * the daemon's lock, any number of times.
 */
export function finishSwap(dataDir: string): void {
  const plan = join(dataDir, PLAN);
  if (!isSwapBegun(dataDir)) {
    rmSync(stagingOf(dataDir), { recursive: true, force: true });
    rmSync(`${plan}.tmp`, { force: true });
    return;
  }
  const { aside }: { aside: string } = JSON.parse(readFileSync(plan, 'utf8'));
  if (!ASIDE.test(aside)) throw new Error(`${plan} names no directory that a restore makes`);
  const old = join(dataDir, aside);
  mkdirSync(old, { recursive: true, mode: 0o700 });
  for (const name of LOGS) moveIfThere(join(dataDir, name), join(old, name));
  for (const name of DATA) {
    const unpacked = join(stagingOf(dataDir), name);
    // An earlier attempt has already moved this one.
    if (!existsSync(unpacked)) continue;
    moveIfThere(join(dataDir, name), join(old, name));
    renameSync(unpacked, join(dataDir, name));
  }
  // Once the plan is gone nobody finishes what a power failure undoes.
  for (const directory of [old, dataDir]) syncNow(directory);
  rmSync(stagingOf(dataDir), { recursive: true, force: true });
  rmSync(plan);
}

/** Finishes a killed restore before anything is opened. Throws `in_progress` while one is running. */
export function resumeSwap(dataDir: string): void {
  if (!isSwapBegun(dataDir)) return;
  const lock = takeDaemonLock(dataDir);
  if (!lock)
    throw new AppError('busy', 'in_progress', 'A restore is under way.', {
      hint: 'Try again when it is done.',
    });
  try {
    finishSwap(dataDir);
  } finally {
    lock.release();
  }
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
