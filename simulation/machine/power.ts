/** What a power failure leaves of files, and of the database with its log. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { Chance } from './chance.js';
import type { Disk } from './disk.js';

/** Of the real machine. */
const { renameSync } = fs;

/** The database and its write-ahead log. */
interface Pages {
  database: Buffer | undefined;
  log: Buffer | undefined;
}

/** As they were at the last synced commit, if one has followed that was not synced. */
const synced = new WeakMap<Disk, Pages>();

/** Before a commit that does not wait for the disk. */
export function willNotSync(disk: Disk, database: string): void {
  if (!synced.has(disk)) synced.set(disk, pagesOf(database));
}

/** After a commit that has waited for the disk, and with it for all before. */
export function commitSynced(disk: Disk): void {
  synced.delete(disk);
}

/**
 * To be called before the connections of those that the failure ends are closed, which would tidy up. Returns what puts
 * the files in the state in which the next start finds them.
 */
export function losePower(disk: Disk, database: string): () => void {
  const left = synced.get(disk) ?? pagesOf(database);
  commitSynced(disk);
  return () => {
    // In the middle of a restore there is none.
    if (left.database) fs.writeFileSync(database, left.database);
    if (left.log) fs.writeFileSync(`${database}-wal`, tear(left.log, disk.chance));
    fs.rmSync(`${database}-shm`, { force: true });
    loseFiles(disk);
  };
}

/** Of what was not synced a part may be left; of the names that were given, the first. */
function loseFiles(disk: Disk): void {
  const lost = disk.renamed.splice(0);
  for (const { from, to, before } of lost.slice(disk.chance.int(0, lost.length)).toReversed()) {
    if (!fs.existsSync(to)) continue;
    // Its old place may be gone, or be another's, whose name is on disk: then it has no name any more.
    if (fs.existsSync(dirname(from)) && !fs.existsSync(from)) renameSync(to, from);
    else fs.rmSync(to, { recursive: true });
    if (before) fs.writeFileSync(to, before);
  }
  for (const path of disk.unsynced)
    if (fs.existsSync(path)) fs.truncateSync(path, disk.chance.int(0, fs.statSync(path).size));
  disk.unsynced.clear();
}

function pagesOf(file: string): Pages {
  const read = (path: string) => (fs.existsSync(path) ? fs.readFileSync(path) : undefined);
  return { database: read(file), log: read(`${file}-wal`) };
}

const LOG_HEAD = 32;
const FRAME_HEAD = 24;

/** A transaction was just being written: behind the last whole frame is a part of the next one. */
function tear(log: Buffer, chance: Chance): Buffer {
  if (log.length < LOG_HEAD) return log;
  const size = FRAME_HEAD + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let end = LOG_HEAD;
  // Frames behind the end are of an earlier round, with another salt.
  while (end + size <= log.length && log.subarray(end + 8, end + 16).equals(salt)) end += size;
  const torn = Buffer.from(log.subarray(Math.max(LOG_HEAD, end - size), end));
  return Buffer.concat([log.subarray(0, end), torn.subarray(0, chance.int(0, torn.length))]);
}
