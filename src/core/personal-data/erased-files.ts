/** Removes the PDFs of erased people; the nightly housekeeping does it again, in case a crash came in between. */
import { readdir } from 'node:fs/promises';
import { listErasedContracts } from '../../db/users/erase.js';
import type { Context } from '../context.js';
import { contractOfFile, removeLeftFiles } from '../contracts/contract-files.js';
import { paths } from '../installation/paths.js';

export async function removeErasedFiles(ctx: Context): Promise<number> {
  const names = await erasedFiles(ctx);
  await removeLeftFiles(ctx.config.dataDir, names);
  return names.length;
}

export async function erasedFiles({ db, config }: Context): Promise<string[]> {
  const ids = new Set(listErasedContracts(db).map(({ id }) => id));
  if (ids.size === 0) return [];
  const names = await readdir(paths.contracts(config.dataDir));
  return names.filter((name) => ids.has(contractOfFile(name) ?? 0));
}
