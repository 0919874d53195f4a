/** Small words of the answers. */

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export const DRY_RUN_NOTE = 'dry run: nothing was changed';
