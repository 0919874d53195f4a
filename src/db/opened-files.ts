/**
 * Which files a connection works on, by device and inode. It keeps what it has opened: when somebody moves or deletes a file, the
 * path leads elsewhere, and what is written is never found again.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';

const SUFFIXES = ['', '-wal', '-shm'] as const;

/** Of the database, its log and the index of the log; empty for one that is not there. */
export type FileIds = readonly string[];

export function fileIds(database: string): FileIds {
  return SUFFIXES.map((suffix) => idOf(`${database}${suffix}`));
}

function idOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}

/** The name of the first file that is not the one that was opened. */
export function otherFile(database: string, opened: FileIds): string | undefined {
  const now = fileIds(database);
  const index = opened.findIndex((id, i) => id !== '' && id !== now[i]);
  return index < 0 ? undefined : `${basename(database)}${SUFFIXES[index]}`;
}
