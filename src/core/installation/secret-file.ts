/** Secrets that the service makes for itself, once, and keeps in `keys/` with mode 0600. */
import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../db/caught.js';
import { paths } from './paths.js';

const LENGTH_MIN = 32;

/** A key cannot be used; the message says which, why, and what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** The secret of this name: 256 random bits as base64url, made now if it is not there yet. Throws a KeyFileError. */
export function secretFile(dataDir: string, name: string): string {
  const file = join(paths.keys(dataDir), name);
  const secret = usable(dataDir, file, () => contentOf(file) ?? makeAndRead(file));
  if (secret.length >= LENGTH_MIN) return secret;
  throw new KeyFileError(
    `The key ${file} is damaged. Put it back from a backup. If you remove it, a new one is made.`,
  );
}

/**
 * Reads every key in `keys/`, so that an unreadable one is reported at start-up, not on first use. Throws a
 * KeyFileError.
 */
export function proveKeysReadable(dataDir: string): void {
  const directory = paths.keys(dataDir);
  for (const name of usable(dataDir, directory, () => readdirSync(directory))) {
    const file = join(directory, name);
    usable(dataDir, file, () => contentOf(file));
  }
}

function usable<T>(dataDir: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = messageOf(error).split(',')[0];
    throw new KeyFileError(
      `${path} cannot be used (${why}). The user of the service must be able to read and write ${paths.keys(dataDir)} and everything in it.`,
      { cause: error },
    );
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function makeAndRead(file: string): string {
  try {
    placeWhole(file, `${randomBytes(32).toString('base64url')}\n`);
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Creates a file with all its content or not at all; an empty key would block every later start. */
function placeWhole(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    linkSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
