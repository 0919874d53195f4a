import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasEnded, holderName } from './process.js';

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
