/** An archive for a browser: made in the data directory, opened and then without a name, so that nothing of it stays. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost } from '../at-most.js';
import type { Context } from '../context.js';
import { paths } from '../installation/paths.js';
import type { WrittenArchive } from './write-archive.js';
import { HOUR_MS } from '../clock.js';

export interface Download {
  /** The reader closes it. */
  file: FileHandle;
  size: number;
  written: WrittenArchive;
}

/** Drawing the record, and reading every file: with many at once, everybody else would wait. */
const inTurn = atMost(2);

/** `make` writes the archive whose name it gets. */
export async function forDownload(
  ctx: Context,
  make: (path: string) => Promise<WrittenArchive>,
): Promise<Download> {
  const directory = paths.exports(ctx.config.dataDir);
  await removeExports(await leftExports(ctx));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${randomBytes(8).toString('hex')}.zip`);
  try {
    const written = await inTurn(() => make(path));
    return { file: await open(path, 'r'), size: written.size, written };
  } finally {
    await rm(path, { force: true });
  }
}

/** The archives that killed processes have left. */
export async function leftExports({ config, clock }: Context): Promise<string[]> {
  const directory = paths.exports(config.dataDir);
  const left: string[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && clock.now().getTime() - found.mtimeMs > HOUR_MS) left.push(path);
  }
  return left;
}

export async function removeExports(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((path) => rm(path, { force: true })));
}
