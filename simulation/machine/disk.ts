/** A disk in memory: what it would lose if the power failed now. */
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Chance } from './chance.js';

export interface Disk {
  chance: Chance;
  /** Nothing more can be stored. */
  isFull: boolean;
  /** When it had room again. */
  roomSince: number;
  /** Written, but not yet synced. */
  unsynced: Set<string>;
  /** Names that were given, but whose directory was not yet synced, with the names they had. */
  renamed: { from: string; to: string; before: Buffer | undefined }[];
}

export function aDisk(chance: Chance): Disk {
  return { chance, isFull: false, roomSince: -Infinity, unsynced: new Set(), renamed: [] };
}

export function isInWorld(path: unknown): path is string {
  return typeof path === 'string' && path.includes('/esign-simulation-');
}

export function isUnsynced(disk: Disk, path: string): void {
  disk.unsynced.add(placeOf(path));
}

/** A file, or a directory with the names in it. */
export function hasSynced(disk: Disk, path: string): void {
  const place = placeOf(path);
  disk.unsynced.delete(place);
  disk.renamed = disk.renamed.filter(({ to }) => dirname(to) !== place);
}

/** Each process has another path to the same data; what one of them has left unsynced, the next one's sync writes as well. */
function placeOf(path: string): string {
  const parent = fs.existsSync(dirname(path)) ? fs.realpathSync(dirname(path)) : dirname(path);
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? fs.realpathSync(path)
    : join(parent, basename(path));
}

/** Runs `act`, which gives a file another name. */
export function renamed({ unsynced, renamed: names }: Disk, from: string, to: string, act: () => void): void {
  const isReplaced = fs.statSync(to, { throwIfNoEntry: false })?.isFile();
  const before = isReplaced ? fs.readFileSync(to) : undefined;
  const [old, place] = [placeOf(from), placeOf(to)];
  act();
  unsynced.delete(place);
  if (unsynced.delete(old)) unsynced.add(place);
  names.push({ from: old, to: place, before });
}
