/** Writes a file that did not exist before: complete or absent, never over another, readable by its owner alone. */
import { access, constants, link, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError, notFound, refused } from '../errors.js';
import { syncDirectory, temporaryBeside } from '../installation/sync-directory.js';
import { codeOf, isNoLink } from '../../db/caught.js';

export const PRIVATE = 0o600;

/**
 * Throws `file_exists`, `not_found` for a directory that is not there, `not_permitted` for one that may not be written.
 * `write` makes the file whose name it gets.
 */
export async function writeNewFile<T>(path: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const file = resolve(path);
  await mustBeFree(file);
  const temporary = await temporaryBeside(file);
  try {
    const result = await write(temporary);
    await sync(temporary);
    await giveName(temporary, file);
    await syncDirectory(dirname(file));
    return result;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Before work is done that would be lost. Throws as `writeNewFile`. */
export async function mustBeFree(path: string): Promise<void> {
  const file = resolve(path);
  if (await exists(file)) throw taken(file);
  const directory = dirname(file);
  if (!(await exists(directory)))
    throw notFound(
      'not_found',
      `There is no directory ${directory}.`,
      'Create it, or choose another directory.',
    );
  if (await exists(directory, constants.R_OK | constants.W_OK | constants.X_OK)) return;
  throw new AppError('invalid', 'not_permitted', `You may not write in ${directory}.`, {
    hint: 'Choose a directory of your own, for example /tmp.',
  });
}

function taken(file: string) {
  return refused(
    'file_exists',
    `${file} exists.`,
    'Choose another name; an existing file is never overwritten.',
  );
}

function exists(path: string, mode?: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A second name fails where one exists; a rename would replace the file. */
async function giveName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file);
    // A file system without hard links: the name is taken first, then filled.
    if (!isNoLink(error)) throw error;
    await takeName(temporary, file);
  }
}

async function takeName(temporary: string, file: string): Promise<void> {
  const { copyFile } = await import('node:fs/promises');
  try {
    await copyFile(temporary, file, constants.COPYFILE_EXCL);
    await sync(file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file);
    await rm(file, { force: true });
    throw error;
  }
}
