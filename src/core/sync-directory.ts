/** Makes new names in a directory survive a power loss; calls that come while one sync is under way share the next. */
import { open } from 'node:fs/promises';

interface Turn {
  running: Promise<void>;
  /** For those who came too late for the one that runs. */
  next: Promise<void> | undefined;
}

const turns = new Map<string, Turn>();

/** Resolves after a sync that began no earlier than this call: whatever was renamed before it is on disk then. */
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
