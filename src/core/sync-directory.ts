/** Files that are renamed into place: the new name itself must survive a power loss. */
import { open } from 'node:fs/promises';

/** Writes a directory's list of names to disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
