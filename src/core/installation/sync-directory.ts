/** Makes new names in a directory survive a power loss. Calls that arrive during a sync share the next one. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasEnded, holderName } from './process.js';

interface Turn {
  running: Promise<void>;
  /** For calls that arrive while one is running. */
  next: Promise<void> | undefined;
}

const turns = new Map<string, Turn>();

/** Resolves after a sync that began after this call, so everything renamed before it is on disk. */
export function syncDirectory(directory: string): Promise<void> {
  const turn = turns.get(directory);
  if (!turn) return begin(directory);
  turn.next ??= turn.running.then(
    () => begin(directory),
    () => begin(directory),
  );
  return turn.next;
}

function begin(directory: string): Promise<void> {
  const turn: Turn = { running: sync(directory), next: undefined };
  turns.set(directory, turn);
  const ended = () => {
    if (!turn.next) turns.delete(directory);
  };
  turn.running.then(ended, ended);
  return turn.running;
}

async function sync(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The same of a directory or a file, where nothing else runs meanwhile. */
export function syncNow(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

const TEMPORARY = '.tmp';

/**
 * A name beside `file`, under which this process writes it, so that the last step is a rename. Removes what it or processes that
 * have ended left there.
 */
export async function temporaryBeside(file: string): Promise<string> {
  const directory = dirname(file);
  const us = holderName('command');
  const prefix = `.${basename(file)}.`;
  const isLeft = (name: string) => {
    const holder = name.slice(prefix.length, -TEMPORARY.length);
    const isOne = name.startsWith(prefix) && name.endsWith(TEMPORARY);
    return isOne && (holder === us || hasEnded(holder, us));
  };
  for (const name of (await readdir(directory)).filter(isLeft))
    await rm(join(directory, name), { recursive: true, force: true });
  return join(directory, `${prefix}${us}${TEMPORARY}`);
}
