/** A disk in memory: what it would lose if the power failed now. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { Chance } from './chance.js';

export interface Disk {
  chance: Chance;
  /** Nothing more can be stored. */
  isFull: boolean;
  /** Written, but not yet synced. */
  unsynced: Set<string>;
  /** Names that were given, but whose directory was not yet synced, with the names they had. */
  renamed: { from: string; to: string; before: Buffer | undefined }[];
}

export function aDisk(chance: Chance): Disk {
  return { chance, isFull: false, unsynced: new Set(), renamed: [] };
}

export function isInWorld(path: unknown): path is string {
  return typeof path === 'string' && path.includes('/esign-simulation-');
}

/** A file, or a directory with the names in it. */
export function hasSynced(disk: Disk, path: string): void {
  disk.unsynced.delete(path);
  disk.renamed = disk.renamed.filter(({ to }) => dirname(to) !== path);
}

/** Runs `act`, which gives a file another name. */
export function renamed({ unsynced, renamed: names }: Disk, from: string, to: string, act: () => void): void {
  const isReplaced = fs.statSync(to, { throwIfNoEntry: false })?.isFile();
  const before = isReplaced ? fs.readFileSync(to) : undefined;
  act();
  unsynced.delete(to);
  if (unsynced.delete(from)) unsynced.add(to);
  names.push({ from, to, before });
}
