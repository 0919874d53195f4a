/** Secrets that the service makes for itself, once, and keeps in `keys/` with mode 0600. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from './errors.js';
import { paths } from './paths.js';

const LENGTH_MIN = 32;

/** The secret of this name: 256 random bits as base64url, made now if it is not there yet. */
export function secretFile(dataDir: string, name: string): string {
  const file = join(paths.keys(dataDir), name);
  try {
    placeWhole(file, `${randomBytes(32).toString('base64url')}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < LENGTH_MIN) {
    throw new AppError(
      'invalid',
      'invalid_input',
      `${file} is damaged: put it back from a backup; if it is removed, a new one is made`,
    );
  }
  return secret;
}

/** A file that appears with all its content or not at all: an empty one would stand in the way of every later start. */
function placeWhole(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    linkSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
