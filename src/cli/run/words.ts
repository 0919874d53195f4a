/** Small words of the answers. */
import type { Output } from '../output.js';

export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

export const DRY_RUN_NOTE = 'dry run: nothing was changed';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `34.1 kB`, `1.2 GB`. */
export function bytes(count: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const number = count / 1000 ** step;
  return `${step === 0 ? number : number.toFixed(1)} ${UNITS[step]}`;
}

/** Below a list: how many there are, or that there are more. `all` names them: "3 failed jobs". */
export function tellCount(
  out: Pick<Output, 'warn' | 'note'>,
  { shown, total, all }: { shown: number; total: number; all: string },
): void {
  if (total > shown) out.warn(`${shown} of ${all} shown; --limit shows more`);
  else out.note(all);
}
