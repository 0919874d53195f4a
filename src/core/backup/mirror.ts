/** Makes a directory hold the same files as another one, by hard links: made in a moment, and they take no room. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, isNoLink } from '../../db/caught.js';
import { syncNow } from '../installation/sync-directory.js';

export interface Mirrored {
  files: number;
  added: number;
  removed: number;
}

interface Mirroring {
  from: string;
  to: string;
  /** Where below `to` a file lies, under its own name; undefined: it is left out. */
  placeOf: (name: string) => string | undefined;
  /** Which of the files that are gone from `from` stay in `to`. */
  keep?: (places: readonly string[]) => ReadonlySet<string>;
  signal?: AbortSignal | undefined;
}

/** At most this many files at a time, before an abort is noticed. */
const AT_ONCE = 1_000;

/**
 * A file is replaced by rename and never overwritten, so a link keeps what it was made for. Where there are no links,
 * as to another file system, files are copied. Whoever reads `to` meanwhile finds each file as it was or as it is. What
 * was added is on disk when this resolves.
 */
export async function mirror({ from, to, placeOf, keep, signal }: Mirroring): Promise<Mirrored> {
  const touched = new Set<string>();
  const counts: Mirrored = { files: 0, added: 0, removed: 0 };
  const names = new Set(namesIn(from));
  let looked = 0;
  for (const name of names) {
    looked += 1;
    if (looked % AT_ONCE === 0) await nextTurn(signal);
    const place = placeOf(name);
    const result = place === undefined ? 'gone' : put(`${from}/${name}`, `${to}/${place}`);
    if (result === 'gone') names.delete(name);
    else counts.files += 1;
    if (result !== 'put' || place === undefined) continue;
    counts.added += 1;
    touched.add(dirname(place));
  }
  const gone: string[] = [];
  for (const place of filesBelow(to)) {
    const name = basename(place);
    if (!names.has(name) || placeOf(name) !== place) gone.push(place);
  }
  const kept = keep?.(gone) ?? new Set();
  for (const place of gone.filter((each) => !kept.has(each))) {
    rmSync(join(to, place), { force: true });
    touched.add(removeEmpty(to, dirname(place)));
    counts.removed += 1;
  }
  for (const directory of touched) syncNow(join(to, directory));
  return { ...counts, files: counts.files + kept.size };
}

async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The paths of all files below a directory; none when it is not there. */
export function* filesBelow(directory: string, below = ''): Generator<string> {
  const path = join(directory, below);
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(directory, name);
    else if (entry.isFile()) yield name;
  }
}

function put(source: string, target: string): 'there' | 'put' | 'gone' {
  const is = statOf(source);
  // Erased since it was listed.
  if (!is?.isFile()) return 'gone';
  if (isSame(is, statOf(target))) return 'there';
  const temporary = `${target}.tmp`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  rmSync(temporary, { force: true });
  try {
    linkOrCopy(source, temporary);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone';
    throw error;
  }
  renameSync(temporary, target);
  return 'put';
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** A copy has the size and the time of its source; a file that replaced another one of that size has another time. */
function isSame(is: Stats, was: Stats | undefined): boolean {
  if (!was) return false;
  const isLink = was.dev === is.dev && was.ino === is.ino;
  return isLink || (was.size === is.size && +was.mtime === +is.mtime);
}

/** A copy has the time of its source and is on disk; `target` must not exist. */
export function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!isNoLink(error)) throw error;
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
    const { mtime } = lstatSync(source);
    utimesSync(target, mtime, mtime);
    syncNow(target);
  }
}

/** Returns the first directory that stays. */
function removeEmpty(to: string, directory: string): string {
  if (directory === '.') return directory;
  try {
    rmdirSync(join(to, directory));
  } catch {
    // Others are in it.
    return directory;
  }
  return removeEmpty(to, dirname(directory));
}
